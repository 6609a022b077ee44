// The architecture document: which room of src/ may import which, checked against every import of every file.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";

interface Room {
  /** The rooms below, imported through their index.ts. */
  readonly imports: readonly string[];
  /** The modules and packages from outside; `node:fs` covers `node:fs/promises`. */
  readonly touches: readonly string[];
}

const everything = ["*"];

// prettier-ignore
const rooms: Readonly<Record<string, Room>> = {
  // Both wings stand on these two.
  protocol:  { imports: [],                                                    touches: [] },
  transport: { imports: ["protocol"],                                          touches: ["node:buffer", "node:child_process", "node:crypto", "node:fs", "node:http", "node:https", "node:net", "node:path", "node:process", "node:stream", "jose"] },

  // The calling wing.
  client:    { imports: ["protocol", "transport"],                             touches: [] },
  doctor:    { imports: ["protocol", "transport", "client"],                   touches: [] },
  lab:       { imports: ["protocol", "transport", "client", "doctor"],         touches: ["node:fs"] },

  // The serving wing.
  server:    { imports: ["protocol", "transport"],                             touches: ["ajv", "node:http"] },
  gate:      { imports: ["protocol", "transport", "server"],                   touches: ["node:sqlite", "node:crypto", "node:fs", "node:path", "node:child_process", "@opentelemetry/api"] }, // fs, path: the state folder; child_process: a secret's command
  sqlite:    { imports: ["protocol", "server", "gate"],                        touches: ["node:sqlite", "node:child_process", "node:buffer", "node:crypto", "node:fs", "node:os", "node:path", "node:process", "node:timers", "node:url", "node:worker_threads"] }, // fs: fingerprints, private copies, receipts; worker_threads: a reader's watchdog
  aio:       { imports: ["protocol", "server", "gate", "sqlite"],              touches: ["node:sqlite", "node:buffer", "node:crypto", "node:fs", "node:path"] }, // all of them to make a database: the sample, an import; the tools touch none
  browser:   { imports: ["protocol", "server", "gate"],                        touches: ["playwright-core"] },
  config:    { imports: ["protocol", "server", "gate", "sqlite", "aio", "browser"], touches: ["node:crypto", "node:fs", "node:module", "node:path", "node:timers", "node:url", "yaml"] }, // module: an operator's own tools get this Genkan

  // The roof, over both wings. Only `cli` prints, and nobody imports it.
  console:   { imports: ["protocol", "gate", "doctor"],                        touches: ["node:http"] },
  cli:       { imports: everything,                                            touches: everything },

  // src/index.ts, what an application imports.
  index:     { imports: ["protocol", "transport", "server", "client"],         touches: [] },
};

/** What loads a file whose name somebody else chose: nobody can check it beforehand. */
const loaders = new Set(["config/doors/module.ts"]);

/**
 * What reaches past an index.ts all the same: the entry names the errors of a room that it loads on demand; processes are
 * started before the room is loaded that uses them.
 */
const single = new Set(["index.ts client/client-error.ts", "cli/start-crew.ts sqlite/crew.ts"]);

test("src/ keeps to the table", () => {
  const root = new URL("../src/", import.meta.url);
  const files = globSync("**/*.ts", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
  const sources = new Map(files.map((file) => [file, readFileSync(new URL(file, root), "utf8")]));

  assert.ok(sources.has("index.ts"), "src/index.ts is among the files that were read");
  assert.deepEqual(findViolations(sources), []);
});

test("a room imports only rooms that stand above it in the table", () => {
  const names = Object.keys(rooms);
  const upward = Object.entries(rooms).flatMap(([name, { imports }]) =>
    imports.filter(
      (other) => other !== "*" && !names.slice(0, names.indexOf(name)).includes(other),
    ),
  );
  assert.deepEqual(upward, []);
});

const good = {
  "index.ts": `export { a } from "./protocol/index.ts";`,
  "protocol/index.ts": `export { a } from "./a.ts";\nexport type { B } from "./revision/b.ts";`,
  "protocol/a.ts": `import type { B } from "./revision/b.ts";\n// import { no } from "../gate/no.ts";\nexport const a = 1;`,
  "protocol/revision/b.ts": `export type B = "from";\nexport { c };\nconst c = "../gate/c.ts";`,
  "protocol/a.test.ts": `import { test } from "node:test";\nimport { gate } from "../gate/deep.ts";`,
  "lab/run.ts": `import { readFile } from "node:fs/promises";`,
  "cli/main.ts": `import "yaml";\nconst gate = await import("../gate/index.ts");`,
};

test("the checker accepts a tree that keeps to the table", () => {
  assert.deepEqual(findViolations(new Map(Object.entries(good))), []);
});

// prettier-ignore
const bad: readonly (readonly [file: string, text: string, violation: string])[] = [
  ["protocol/x.ts", `import { s } from "../server/index.ts";`, "protocol may not import server"],
  ["protocol/x.ts", `import type {\n  S,\n} from "../server/index.ts";`, "protocol may not import server"],
  ["protocol/x.ts", `export { s } from "../server/index.ts";`, "protocol may not import server"],
  ["protocol/x.ts", `export type { S } from "../server/index.ts";`, "protocol may not import server"],
  ["protocol/x.ts", `import "../server/index.ts";`, "protocol may not import server"],
  ["protocol/x.ts", `const s = await import("../server/index.ts");`, "protocol may not import server"],
  ["protocol/x.ts", `type S = import("../server/index.ts").S;`, "protocol may not import server"],
  ["client/x.ts", `import { s } from "../server/index.ts";`, "client may not import server"],
  ["doctor/x.ts", `import { run } from "../cli/index.ts";`, "doctor may not import cli"],
  ["index.ts", `export { gate } from "./gate/index.ts";`, "index may not import gate"],
  ["protocol/x.ts", `import { readFileSync } from "node:fs";`, "protocol may not touch node:fs"],
  ["server/x.ts", `import * as http from "node:https";`, "server may not touch node:https"],
  ["lab/x.ts", `import x from "node:fsx";`, "lab may not touch node:fsx"],
  ["server/x.ts", `import { z } from "zod";`, "server may not touch zod"],
  ["server/x.ts", `import { a } from "../protocol/a.ts";`, "reaches past the index.ts of protocol"],
  ["server/x.ts", `import manifest from "../../package.json" with { type: "json" };`, "leaves src/"],
  ["server/x.ts", `import { t } from "./x.test.ts";`, "a test is imported by tests only"],
  ["server/x.ts", `const door = await import(name);`, "a computed import cannot be checked"],
  ["server/x.ts", `export * from "./y.ts";`, "export * hides what is exported"],
  ["server/x.ts", `export * as y from "./y.ts";`, "export * hides what is exported"],
  ["server/a/b/x.ts", "", "deeper than src/room/folder/file.ts"],
  ["server/a/b/x.test.ts", "", "deeper than src/room/folder/file.ts"],
  ["utils/x.ts", "", "no room of the table"],
  ["server.ts", "", "no room of the table"],
  ["server/x.ts", `import { x } from "./x.ts";`, "import cycle server/x.ts → server/x.ts"],
  ["protocol/revision/b.ts", `import { a } from "../a.ts";`, "import cycle protocol/a.ts → protocol/revision/b.ts → protocol/a.ts"],
];

for (const [file, text, violation] of bad) {
  test(`the checker refuses ${JSON.stringify(text)} in src/${file}`, () => {
    const violations = findViolations(new Map(Object.entries({ ...good, [file]: text })));
    assert.equal(violations.length, 1, violations.join("\n"));
    assert.match(violations.join(), new RegExp(RegExp.escape(violation)));
  });
}

/** Lists what in the files (paths under src/ and their texts) breaks the table, one sentence each. */
function findViolations(sources: ReadonlyMap<string, string>): readonly string[] {
  const violations: string[] = [];
  const inner = new Map<string, readonly string[]>();

  for (const [file, text] of sources) {
    const refuse = (reason: string): number => violations.push(`src/${file}: ${reason}`);
    const name = roomOf(file);
    const room = rooms[name];
    const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, ""); // an example in a comment is no import

    if (file.split("/").length > 3) refuse("deeper than src/room/folder/file.ts");
    if (/^export\s*\*/m.test(code)) refuse("export * hides what is exported");
    if (room === undefined) refuse(`${name} is no room of the table`);
    if (room === undefined || file.endsWith(".test.ts")) continue;

    if (/\bimport\((?!\s*")/.test(code) && !loaders.has(file))
      refuse("a computed import cannot be checked");
    const [targets, modules] = readImports(file, code);
    for (const module of modules) {
      const isAllowed = room.touches.some((allowed) => covers(allowed, module));
      if (!isAllowed) refuse(`${name} may not touch ${module}`);
    }
    for (const target of targets) {
      const other = roomOf(target);
      if (target.startsWith("../")) refuse(`"${target}" leaves src/`);
      else if (target.endsWith(".test.ts")) refuse("a test is imported by tests only");
      else if (other === name) continue;
      else if (!room.imports.some((allowed) => covers(allowed, other)))
        refuse(`${name} may not import ${other}`);
      else if (target !== `${other}/index.ts` && !single.has(`${file} ${target}`))
        refuse(`"${target}" reaches past the index.ts of ${other}`);
    }
    inner.set(
      file,
      targets.filter((target) => roomOf(target) === name),
    );
  }
  return [...violations, ...findCycles(inner)];
}

/** Names the room of a path under src/: its folder, or `index` for src/index.ts. */
function roomOf(file: string): string {
  const [first = "", ...rest] = file.split("/");
  return rest.length > 0 ? first : first.replace(/^index\.ts$/, "index");
}

function covers(allowed: string, name: string): boolean {
  return allowed === "*" || name === allowed || name.startsWith(`${allowed}/`);
}

/** Reads the static, dynamic, type-only and re-exporting imports of formatted code: paths under src/, and modules. */
function readImports(file: string, code: string): readonly [targets: string[], modules: string[]] {
  const statement =
    /^import\b[^;"(]*"([^"]+)"|^export\s+(?:type\s+)?[{*][^;"]*?\bfrom\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;
  const specifiers = [...code.matchAll(statement)].map(([, ...groups]) => groups.join(""));
  return [
    specifiers.filter(isPath).map((specifier) => posix.join(posix.dirname(file), specifier)),
    specifiers.filter((specifier) => !isPath(specifier)),
  ];
}

function isPath(specifier: string): boolean {
  return specifier.startsWith(".");
}

/** Finds the import cycles of a room; a type-only import counts, for a reader has to go round it all the same. */
function findCycles(edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) cycles.push(`import cycle ${[...path.slice(start), file].join(" → ")}`);
    if (start !== -1 || done.has(file)) return;
    for (const target of edges.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return cycles;
}
