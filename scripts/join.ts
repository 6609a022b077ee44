/**
 * Joins the files that `tsc` emitted: what is read at start becomes one file, because Node needs as long to find twenty files
 * as to run them (see docs/decisions/03-no-bundler.md).
 *
 * Each file's text is kept to the letter, in a function of its own; only its imports and exports are written anew. Nothing is
 * left out, and a form of import or export that is not known here stops the build.
 */

import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";

/** The files that are joined with all they import statically, in this order: what an earlier one has, a later one takes from there. */
const roots = ["index.js", "server/methods/tools.js", "client/index.js", "gate/index.js"];

const dist = new URL("../dist/", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, dist), "utf8");
const write = (file: string, lines: readonly string[]): void =>
  writeFileSync(new URL(file, dist), `${lines.join("\n")}\n`);

/** Which joined file has a module. */
const homes = new Map<string, string>();

/** Writes the modules of a root into one file, and leaves in the root's place what it exports. */
function joinRoot(root: string): void {
  const joined = root.replace(/\.js$/, ".joined.js");
  const modules = listClosure(root, []);
  for (const file of modules) homes.set(file, joined);
  const parts = modules.map((file) => wrap(file, joined));
  const outside = new Set(parts.flatMap(({ imports }) => imports));
  const texts = parts.map(({ text }) => text);
  write(joined, [...outside, ...texts, `export { ${modules.map(nameOf).join(", ")} };`]);
  const own = parts.at(-1)?.exports.map(({ name }) => name) ?? [];
  write(root, [
    `import { ${nameOf(root)} } from "${relative(root, joined)}";`,
    `export const { ${own.join(", ")} } = ${nameOf(root)};`,
  ]);
}

/** Lists what a file imports statically and no earlier root has, each after what it needs, the file itself last. */
function listClosure(file: string, found: string[]): string[] {
  if (found.includes(file) || homes.has(file)) return found;
  for (const { from } of parseImports(file))
    if (from.startsWith(".")) listClosure(resolve(file, from), found);
  found.push(file);
  return found;
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
function wrap(file: string, joined: string): Part {
  const { body, bindings, imports, exports } = rewrite(file, joined);
  if (/\bimport\.meta\b/.test(body))
    throw new Error(`${file} uses import.meta, which changes when it is joined`);
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
function rewriteLoner(file: string): void {
  const needsIt = parseImports(file).some(
    ({ from }) => from.startsWith(".") && homes.has(resolve(file, from)),
  );
  if (!needsIt) return;
  const { body, bindings, imports, exports } = rewrite(file, file);
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

function rewrite(file: string, target: string): Rewritten {
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
    (_, from: string) => `import("${relative(target, resolve(file, from))}")`,
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
  if (!existsSync(new URL(path, dist)))
    throw new Error(`${file} imports ${from}, which is not there`);
  return path;
}

function relative(file: string, target: string): string {
  const path = posix.relative(posix.dirname(file), target);
  return path.startsWith(".") ? path : `./${path}`;
}

/** Gives the name under which a module's exports are kept: `transport/utf8.js` is `transport_utf8`. */
function nameOf(file: string): string {
  return file.replace(/\.js$/, "").replace(/^\W+/, "").replace(/\W+/g, "_");
}

for (const root of roots) joinRoot(root);
for (const file of globSync("**/*.js", { cwd: dist })) {
  if (!homes.has(file)) rewriteLoner(file);
}
for (const file of homes.keys()) if (!roots.includes(file)) rmSync(new URL(file, dist));
