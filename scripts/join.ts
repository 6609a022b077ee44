/**
 * Joins the files that `tsc` emitted: what is read at start becomes one file, because Node needs as long to find twenty files
 * as to run them (see docs/decisions/03-no-bundler.md).
 *
 * Each file's text is kept to the letter, in a function of its own; only its imports and exports are written anew. Nothing is
 * left out, and a form of import or export that is not known here stops the build.
 */

import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";

/**
 * For each program, the files that are joined with all they import statically, in this order: what an earlier one has, a later
 * one takes from there. Each program takes nothing from another, for it runs in a process of its own.
 */
const programs = [
  [
    "index.js",
    "server/methods/tools.js",
    "server/request-state.js", // the tools have it, and the server asks for it by its name
    "sqlite/crew.js",
    "client/index.js",
    "gate/index.js",
    "sqlite/index.js",
    "sqlite/declared/open-declared.js",
    "sqlite/receipt/receipts.js",
    "aio/index.js",
    "config/index.js",
    "cli/main.js",
    "cli/program.js",
    "cli/commands/serve.js",
    "cli/commands/aio.js",
    "cli/aio/serve-aio.js",
  ],
  ["sqlite/reader/main.js"],
  ["sqlite/scout/main.js", "sqlite/file/snapshot.js"],
  ["sqlite/receipt/main.js"],
];

const dist = new URL("../dist/", import.meta.url);
const sources = new Map(
  globSync("**/*.js", { cwd: dist }).map((file) => [
    file.replaceAll("\\", "/"),
    readFileSync(new URL(file, dist), "utf8"),
  ]),
);
const write = (file: string, lines: readonly string[]): void =>
  writeFileSync(new URL(file, dist), `${lines.join("\n")}\n`);

/** Which joined file of a program has a module. */
type Homes = Map<string, string>;

/** Those of the first program, from which every file takes that is in no program. */
const shared: Homes = new Map();

/** Writes the modules of a root into one file, if no earlier root has it, and leaves in the root's place what it exports. */
function joinRoot(root: string, homes: Homes): void {
  const home = homes.get(root);
  if (home !== undefined) {
    leaveExports(root, home, wrap(root, home, homes).exports);
    return;
  }
  const joined = root.replace(/\.js$/, ".joined.js");
  const modules = listClosure(root, homes, []);
  for (const file of modules) homes.set(file, joined);
  const parts = modules.map((file) => wrap(file, joined, homes));
  const outside = new Set(parts.flatMap(({ imports }) => imports));
  const texts = parts.map(({ text }) => text);
  write(joined, [...outside, ...texts, `export { ${modules.map(nameOf).join(", ")} };`]);
  leaveExports(root, joined, parts.at(-1)?.exports ?? []);
}

function leaveExports(root: string, joined: string, exports: readonly Export[]): void {
  write(root, [
    `import { ${nameOf(root)} } from "${relative(root, joined)}";`,
    `export const { ${exports.map(({ name }) => name).join(", ")} } = ${nameOf(root)};`,
  ]);
}

/**
 * Lists what a file imports statically and no earlier root has, each after what it needs, the file itself last. One that asks for
 * its own place stays where it is.
 */
function listClosure(file: string, homes: Homes, found: string[]): string[] {
  if (found.includes(file) || homes.has(file) || asksForItsPlace(file)) return found;
  for (const { from } of parseImports(file))
    if (from.startsWith(".")) listClosure(resolve(file, from), homes, found);
  found.push(file);
  return found;
}

/** Such a file may import none of ours: it would need what is joined, and what is joined needs it. */
function asksForItsPlace(file: string): boolean {
  if (!/\bimport\.meta\b/.test(read(file))) return false;
  if (parseImports(file).some(({ from }) => from.startsWith(".")))
    throw new Error(`${file} uses import.meta and imports files of ours, so it cannot be joined`);
  return true;
}

interface Part {
  readonly text: string;
  readonly imports: readonly string[];
  readonly exports: readonly Export[];
}

/** A name a module exports, and what it stands for inside. */
interface Export {
  readonly name: string;
  readonly value: string;
}

/** Puts a module into a function that gives its exports. */
function wrap(file: string, joined: string, homes: Homes): Part {
  const { body, bindings, imports, exports } = rewrite(file, joined, homes);
  if (/^await\b|^\S.*\bawait import/m.test(body)) throw new Error(`${file} waits at its top level`);
  const given = exports
    .map(({ name, value }) => (name === value ? name : `${name}: ${value}`))
    .join(", ");
  const text = [
    `// ${file}`,
    `const ${nameOf(file)} = (() => {`,
    ...bindings,
    body.trim(),
    `return { ${given} };`,
    "})();",
  ];
  return { text: text.join("\n"), imports, exports };
}

/** Rewrites a file that stays on its own, so that it takes from the joined files what they have. */
function rewriteLoner(file: string, homes: Homes): void {
  const needsIt = parseImports(file).some(
    ({ from }) => from.startsWith(".") && homes.has(resolve(file, from)),
  );
  if (!needsIt) return;
  const { body, bindings, imports, exports } = rewrite(file, file, homes);
  const given = exports.map(({ name, value }) =>
    name === value ? `export { ${name} };` : `export const ${name} = ${value};`,
  );
  write(file, [...new Set(imports), ...bindings, body.trim(), ...given]);
}

interface Rewritten {
  readonly body: string;
  /** Statements that bind the names a module imports. */
  readonly bindings: readonly string[];
  /** The imports of the file that it ends up in. */
  readonly imports: readonly string[];
  readonly exports: readonly Export[];
}

function rewrite(file: string, target: string, homes: Homes): Rewritten {
  const bindings: string[] = [];
  const imports: string[] = [];
  const exports: Export[] = [];
  for (const { names, defaultName, from, isReexport } of parseImports(file)) {
    const source = from.startsWith(".") ? resolve(file, from) : undefined;
    const home = source === undefined ? undefined : homes.get(source);
    const object = nameOf(source ?? from);
    if (home === undefined)
      imports.push(
        `import * as ${object} from "${source === undefined ? from : relative(target, source)}";`,
      );
    else if (home !== target)
      imports.push(`import { ${object} } from "${relative(target, home)}";`);
    if (defaultName !== undefined) bindings.push(`const ${defaultName} = ${object}.default;`);
    if (isReexport) exports.push(...names.map((each) => toReexport(each, object)));
    else if (names.length > 0)
      bindings.push(
        `const { ${names.map((name) => name.replace(/ as /, ": ")).join(", ")} } = ${object};`,
      );
  }
  let body = read(file).replace(importForm, "");
  body = body.replace(exportForm, (_, declaration: string, name: string) => {
    exports.push({ name, value: name });
    return `${declaration}${name}`;
  });
  body = body.replace(
    /\bimport\("(\.[^"]+)"\)/g,
    (_, from: string) => `import("${relative(target, resolveLater(file, from, homes))}")`,
  );
  const unknown = /^(?:import|export)\b.*$/m.exec(body);
  if (unknown !== null)
    throw new Error(`${file} has a form that scripts/join.ts does not know: ${unknown[0]}`);
  return { body, bindings, imports, exports };
}

/** `a as b` of an object gives the export `b` with the value `object.a`. */
function toReexport(name: string, object: string): Export {
  const [inner = name, outer = inner] = name.split(" as ");
  return { name: outer, value: `${object}.${inner}` };
}

interface Import {
  readonly names: readonly string[];
  readonly defaultName: string | undefined;
  readonly from: string;
  readonly isReexport: boolean;
}

function parseImports(file: string): readonly Import[] {
  return Array.from(
    read(file).matchAll(importForm),
    ([, keyword, defaultName, list = "", from = ""]) => ({
      names: list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
      defaultName,
      from,
      isReexport: keyword === "export",
    }),
  );
}

/** `import { a, b as c } from "x";`, `import d from "x";`, `export { a } from "x";`, over one line or many. */
const importForm = /^(import|export) (?:(\w+),? ?)?(?:\{([^}]*)\} )?from "([^"]+)";\n?/gm;
/** `export function f`, `export const c`, `export class C`. */
const exportForm = /^export ((?:async )?function\*? |const |class )(\w+)/gm;

function resolve(file: string, from: string): string {
  const path = posix.join(posix.dirname(file), from);
  if (!sources.has(path)) throw new Error(`${file} imports ${from}, which is not there`);
  return path;
}

/** What is imported on demand has to have a file of its own, also when it is joined. */
function resolveLater(file: string, from: string, homes: Homes): string {
  const path = resolve(file, from);
  const isRoot = programs.flat().includes(path);
  // A file that is no root takes what it imports from the first program.
  if (!isRoot && (homes.has(path) || homes !== shared))
    throw new Error(`${file} imports ${from} on demand, expected a root of scripts/join.ts`);
  return path;
}

function read(file: string): string {
  return sources.get(file) ?? "";
}

function relative(file: string, target: string): string {
  const path = posix.relative(posix.dirname(file), target);
  return path.startsWith(".") ? path : `./${path}`;
}

/** Gives the name under which a module's exports are kept: `transport/utf8.js` is `transport_utf8`. */
function nameOf(file: string): string {
  return file.replace(/\.js$/, "").replace(/^\W+/, "").replace(/\W+/g, "_");
}

const joined = new Set<string>();
for (const [index, roots] of programs.entries()) {
  const homes: Homes = index === 0 ? shared : new Map();
  for (const root of roots) joinRoot(root, homes);
  for (const file of homes.keys()) joined.add(file);
}
for (const file of sources.keys()) if (!joined.has(file)) rewriteLoner(file, shared);
for (const file of joined) if (!programs.flat().includes(file)) rmSync(new URL(file, dist));
