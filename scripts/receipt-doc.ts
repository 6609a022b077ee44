/** Writes what of docs/receipt.md is made by running it: two examples, and the table of limits. */

import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { openShelf, type Shelf } from "../fixtures/shelf.ts";
import { loadReceipts } from "../src/sqlite/index.ts";
import { renewSections } from "./renew-sections.ts";

const { receiptLimits } = await loadReceipts();
const page = new URL("../docs/receipt.md", import.meta.url);
const limitsFile = new URL("../src/sqlite/receipt/limits.ts", import.meta.url);

/** Gives the page with new sections. */
export async function renewReceiptPage(text: string): Promise<string> {
  return renewSections(text, {
    changed: await showChanged(),
    receipt: await showUnchanged(),
    limits: tabulateLimits(),
  });
}

const reader = `const { DatabaseSync } = require("node:sqlite");
new DatabaseSync("shop.db", { readOnly: true }).prepare("SELECT * FROM items").all()`;

async function showChanged(): Promise<string> {
  using shelf = openShelf("wal");
  const words = ["prove", "shop.db", "--", process.execPath, "-e", reader];
  const { stderr } = await shelf.run(...words);
  const text = mask(shelf, stderr)
    .replace(reader.replaceAll("\n", "\\n"), "…")
    .replaceAll(" -e …", " report.js");
  return `\`\`\`text\n$ genkan prove shop.db -- node report.js\n${text}\`\`\``;
}

async function showUnchanged(): Promise<string> {
  using shelf = openShelf();
  const { stdout } = await shelf.run("prove", "shop.db", "--json", "--", "cat", "shop.db");
  return `\`\`\`json\n${mask(shelf, stdout)}\`\`\``;
}

/** Puts `…` in the place of what is another on each machine and in each run. */
function mask({ place, folder }: Shelf, text: string): string {
  return text
    .replaceAll(folder, "/srv/shop")
    .replaceAll(place("temporary"), "/tmp")
    .replaceAll(process.execPath, basename(process.execPath))
    .replaceAll(/[0-9a-f]{64}/g, "…")
    .replaceAll(/\b[0-9a-f]{12}…/g, "…")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")
    .replaceAll(
      /("(?:inode|owner|mtimeNs|ctimeNs|genkan|node|sqlite|system|machine)": )"[^"]*"/g,
      '$1"…"',
    )
    .replaceAll(/("writtenBytes": )\d+/g, "$10")
    .replaceAll(/(?<=wrote )\d+(?= bytes)/g, "…");
}

/** Each limit with its default and what the interface says of it; what stands beside another shares its words. */
function tabulateLimits(): string {
  const source = readFileSync(limitsFile, "utf8");
  const defaults = new Map<string, number>(Object.entries(receiptLimits));
  const documented = source.matchAll(/\/\*\* ([^*]+) \*\/\n((?: {2}readonly \w+: number;\n)+)/g);
  const rows = Array.from(documented, ([, meaning = "", members = ""]) => {
    const names = Array.from(members.matchAll(/readonly (\w+)/g), ([, name = ""]) => name);
    const [shown, numbers] = [
      names.map((name) => `\`${name}\``),
      names.map((name) => defaults.get(name)),
    ];
    return `| ${shown.join(", ")} | ${numbers.join(", ")} | ${meaning} |`;
  });
  return [
    "| limit | default | what it holds, and the harm it stops |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}

if (import.meta.main) writeFileSync(page, await renewReceiptPage(readFileSync(page, "utf8")));
