// The document: what it holds, how it is kept from being written over something else, and how it is found out when it was changed.

import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open as openFile, type FileHandle } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { openShelf, type Shelf } from "../../../fixtures/shelf.ts";
import { receiptLimits } from "./limits.ts";
import { openReceipt, type ReceiptOptions } from "./open-receipt.ts";
import { readReceipt } from "./read-receipt.ts";
import { digestOf, writeReceipt, type Receipt } from "./receipt.ts";
import { verifyReceipt } from "./verify-receipt.ts";

const ended = { ending: { code: 0, signal: null, error: null } };

function toOptions(shelf: Shelf, options: Partial<ReceiptOptions> = {}): ReceiptOptions {
  return {
    databases: [shelf.database],
    words: ["true"],
    folder: shelf.folder,
    genkan: "1.2.3",
    file: shelf.place("receipt.json"),
    isCommand: true,
    ...options,
  };
}

/** Makes the receipt of a run in which `act` happens. */
async function prove(
  shelf: Shelf,
  act: () => void = () => {},
  options: Partial<ReceiptOptions> = {},
): Promise<Receipt> {
  await using open = await openReceipt(toOptions(shelf, options));
  act();
  const receipt = await open.finish(ended);
  await open.keep(receipt);
  return receipt;
}

/** Lets a file take only so many bytes at once, until the test ends. */
async function limitWrites(
  t: TestContext,
  most: (length: number, at: number) => number,
): Promise<void> {
  await using handle = await openFile(import.meta.filename);
  const files = Object.getPrototypeOf(handle);
  const { write } = files;
  t.mock.method(
    files,
    "write",
    function (this: FileHandle, bytes: Buffer, from: number, length: number, at: number) {
      return write.call(this, bytes, from, most(length, at), at);
    },
  );
}

describe("a receipt", () => {
  test("is on the disk, unfinished, before the run, and whole after it", async () => {
    using shelf = openShelf();
    const file = shelf.place("receipt.json");
    await using open = await openReceipt(toOptions(shelf));
    const begun = await readReceipt(file);
    assert.deepEqual(
      [begun.verdict, begun.after, begun.ending, begun.promises, begun.measured.after],
      ["unfinished", null, null, [], null],
    );
    const finished = await open.finish(ended);
    await open.keep(finished);
    assert.equal(finished.verdict, "unchanged");
    assert.deepEqual(await readReceipt(file), finished);
    assert.deepEqual(finished.before, begun.before);
    assert.ok(finished.promises.length > 0 && finished.limits.length > 0);
  });

  test("says where it was made, by what, and of which command", async () => {
    using shelf = openShelf();
    const { host, command, databases } = await prove(shelf, undefined, {
      databases: ["shop.db"],
      words: ["node", "report.js"],
    });
    assert.deepEqual(databases, [shelf.database]);
    assert.deepEqual(command, { words: ["node", "report.js"], leftOut: 0, folder: shelf.folder });
    assert.partialDeepStrictEqual(host, { genkan: "1.2.3", node: process.versions.node });
    assert.match(host.sqlite, /^3\.\d+\.\d+/);
  });

  test("is the same of two runs, but for what was measured", async () => {
    using shelf = openShelf("wal");
    const strip = ({ measured, digest, ...rest }: Receipt): object => {
      assert.ok(measured.after !== null && digest.startsWith("sha256:"));
      return rest;
    };
    assert.deepEqual(strip(await prove(shelf)), strip(await prove(shelf)));
  });

  test("holds the looks at several databases, each folder once", async () => {
    using shelf = openShelf();
    const other = join(shelf.folder, "stock.db");
    writeFileSync(other, "x");
    const receipt = await prove(shelf, () => writeFileSync(other, "y"), {
      databases: [shelf.database, "stock.db"],
    });
    assert.deepEqual([receipt.verdict, receipt.before.folders.length], ["changed", 1]);
    assert.deepEqual(
      receipt.differences.map(({ what, path }) => [what, basename(path)]),
      [["database", "stock.db"]],
    );
  });

  test("may lie in the folder of the database, and is no change there", async () => {
    using shelf = openShelf();
    const file = join(shelf.folder, "shop.db.receipt.json");
    const receipt = await prove(shelf, undefined, { file });
    assert.deepEqual([receipt.verdict, receipt.except], ["unchanged", [file]]);
  });

  test("what is excepted may change, be made and removed, and nothing else may", async () => {
    using shelf = openShelf();
    const make = (name: string) => (): void => mkdirSync(join(shelf.folder, name));
    const except = [".genkan"];
    assert.equal((await prove(shelf, make(".genkan"), { except })).verdict, "unchanged");
    assert.equal((await prove(shelf, make(".other"), { except })).verdict, "changed");
    const remove = (): void => rmSync(join(shelf.folder, ".genkan"), { recursive: true });
    assert.equal((await prove(shelf, remove, { except })).verdict, "unchanged");
  });

  test("no part of the database is excepted", async () => {
    using shelf = openShelf();
    for (const path of ["shop.db", "../data/shop.db", "shop.db-wal"])
      await assert.rejects(openReceipt(toOptions(shelf, { except: [path] })), {
        message: /^Cannot except ".+": it is the database or a part of it, expected another file/,
      });
  });

  test("tells what was made elsewhere, which is no part of the verdict", async () => {
    using shelf = openShelf();
    const act = (): void => writeFileSync(join(shelf.temporary, "spill"), "x");
    const { verdict, elsewhere } = await prove(shelf, act, { elsewhere: [shelf.temporary] });
    assert.equal(verdict, "unchanged");
    assert.partialDeepStrictEqual(elsewhere, { folders: [shelf.temporary], total: 1 });
    assert.equal(elsewhere.differences[0]?.path, join(shelf.temporary, "spill"));
  });

  test("lists no more than `listed`, and counts all", async () => {
    using shelf = openShelf();
    const act = (): void => {
      for (const name of ["a", "b", "c"]) {
        writeFileSync(join(shelf.temporary, name), "");
        writeFileSync(join(shelf.folder, name), "");
        rmSync(join(shelf.folder, name));
      }
    };
    const options = { elsewhere: [shelf.temporary], limits: { listed: 2 } };
    const { elsewhere, cameAndWent } = await prove(shelf, act, options);
    assert.deepEqual([elsewhere.total, elsewhere.differences.length], [3, 2]);
    if (process.platform === "linux")
      assert.deepEqual([cameAndWent?.total, cameAndWent?.paths.length], [3, 2]);
  });

  test("cuts long words, and many", async () => {
    using shelf = openShelf();
    const limits = { words: 2, wordCharacters: 3 };
    const { command } = await prove(shelf, undefined, {
      words: ["abc", "abcd", "x"],
      limits,
    });
    assert.partialDeepStrictEqual(command, { words: ["abc", "abc…"], leftOut: 1 });
  });

  test("takes any path, and finds it again", { skip: process.platform === "win32" }, async () => {
    using shelf = openShelf();
    const folder = join(shelf.folder, ...Array<string>(5).fill("x".repeat(100)));
    mkdirSync(folder, { recursive: true });
    const names = ["a?mode=rw", "b#c", "d%41", "e\nf", "g h'\"", "\u{202e}i", "é".repeat(100)];
    const databases = names.map((name) => join(folder, name));
    for (const path of databases) writeFileSync(path, "x");
    await prove(shelf, undefined, { databases });
    const receipt = await readReceipt(shelf.place("receipt.json"));
    assert.deepEqual([receipt.verdict, receipt.databases], ["unchanged", databases]);
    assert.deepEqual(await verifyReceipt(receipt, undefined), []);
    for (const path of databases) writeFileSync(path, "y");
    const differences = await verifyReceipt(receipt, undefined);
    assert.deepEqual(
      differences.map(({ change, what }) => `${change} ${what}`),
      names.map(() => "changed database"),
    );
  });

  test("a witness that was killed is replaced, and nothing is said of what came and went", async () => {
    using shelf = openShelf();
    await using open = await openReceipt(toOptions(shelf));
    killWitnesses();
    const { verdict, cameAndWent, promises } = await open.finish(ended);
    assert.deepEqual([verdict, cameAndWent], ["unchanged", null]);
    assert.ok(
      promises.some((each) => each.endsWith("as far as the folders' own times of change tell.")),
    );
  });
});

/** Kills the children of this process that look. */
function killWitnesses(): void {
  for (const id of readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" "))
    if (id !== "" && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("receipt/main."))
      process.kill(Number(id), "SIGKILL");
}

describe("the file of a receipt", () => {
  const refusals: readonly (readonly [
    what: string,
    prepare: (shelf: Shelf) => string,
    message: RegExp,
  ])[] = [
    ["the database", ({ database }) => database, /: it is the database, expected another file$/],
    [
      "another name of the database",
      ({ database, place }) => {
        linkSync(database, place("twin"));
        return place("twin");
      },
      /: it is the database, expected another file$/,
    ],
    [
      "a sidecar that is not there",
      ({ database }) => `${database}-wal`,
      /: SQLite would take it for a part of the database, expected another name$/,
    ],
    [
      "a link",
      ({ database, place }) => {
        symlinkSync(database, place("link"));
        return place("link");
      },
      /: it is a link, expected a file that can be written$/,
    ],
    [
      "another file",
      ({ place }) => {
        writeFileSync(place("notes"), "mine");
        return place("notes");
      },
      /: it is another file, expected a receipt, which is replaced, or none yet$/,
    ],
    ["a folder", ({ temporary }) => temporary, /: it is a folder, expected a file/],
    ["a device", () => "/dev/null", /: it is no file, expected one, or none yet$/],
    [
      "a place in no folder",
      ({ place }) => place("no/receipt.json"),
      /: its folder is not there, expected a file/,
    ],
  ];
  for (const [what, prepare, message] of refusals)
    test(`is never ${what}`, { skip: process.platform === "win32" }, async () => {
      using shelf = openShelf();
      const file = prepare(shelf);
      const before = [readFileSync(shelf.database), readdirSync(shelf.folder)];
      await assert.rejects(openReceipt(toOptions(shelf, { file })), {
        failure: "receipt-not-writable",
        message,
      });
      assert.deepEqual([readFileSync(shelf.database), readdirSync(shelf.folder)], before);
    });

  test("replaces an earlier receipt, and one that is empty, and is its owner's alone", async () => {
    using shelf = openShelf();
    const first = await prove(shelf);
    const second = await prove(shelf);
    assert.notEqual(first.digest, second.digest);
    const file = shelf.place("receipt.json");
    assert.deepEqual(await readReceipt(file), second);
    writeFileSync(file, "");
    const third = await prove(shelf);
    assert.deepEqual(await readReceipt(file), third);
  });

  test("is not silently lost when the run removes it", async () => {
    using shelf = openShelf();
    const act = (): void => rmSync(shelf.place("receipt.json"));
    await assert.rejects(prove(shelf, act), {
      failure: "receipt-not-writable",
      message: /: it was removed or replaced meanwhile, expected it to stay where it was$/,
    });
  });

  test("is whole where the system takes less at once than it is given", async (t) => {
    using shelf = openShelf();
    await limitWrites(t, (length) => Math.min(length, 1_000));
    await prove(shelf);
    assert.equal((await readReceipt(shelf.place("receipt.json"))).verdict, "unchanged");
  });

  test("is not left behind where the disk takes a part of it only", async (t) => {
    using shelf = openShelf();
    await limitWrites(t, (length, at) => {
      if (at > 0) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      return Math.min(length, 1_000);
    });
    await assert.rejects(prove(shelf), { code: "receipt-not-writable" });
    assert.equal(existsSync(shelf.place("receipt.json")), false);
  });

  test("is not left behind empty where there is no database to look at", async () => {
    using shelf = openShelf();
    await assert.rejects(openReceipt(toOptions(shelf, { databases: ["no.db"] })));
    assert.equal(existsSync(shelf.place("receipt.json")), false);
  });
});

describe("a receipt that is read again", () => {
  let known: string | undefined;
  /** The text of a receipt, one for all that spoil it. */
  async function whole(): Promise<string> {
    using shelf = openShelf();
    return (known ??= writeReceipt(await prove(shelf)));
  }

  /** What was done to the text, and what is said of it. */
  const faults: readonly (readonly [
    what: string,
    spoil: (text: string) => string,
    message: RegExp,
  ])[] = [
    [
      "cut off",
      (text) => text.slice(0, 1000),
      /: it ends at character 1000, in the midst, expected a whole receipt$/,
    ],
    ["empty", () => "", /: it ends at character 0, in the midst/],
    ["no JSON", () => "verdict: unchanged", /: it is no JSON and no receipt, expected one/],
    ["a database", () => "SQLite format 3\0\u0010", /: it is a SQLite database and no receipt/],
    ["other JSON", () => "[]", /: it is JSON but no receipt/],
    [
      "of another version",
      (text) => text.replace('"version": 1', '"version": 2'),
      /: its version is the number 2, expected 1$/,
    ],
    [
      "changed in its verdict",
      (text) => text.replace('"unchanged"', '"changed"'),
      /: it was changed after it was written: its contents have the digest sha256:/,
    ],
    [
      "given a member more",
      (text) => text.replace('"version"', '"note": "x", "version"'),
      /: it was changed after it was written/,
    ],
    [
      "given a member twice",
      (text) => text.replace('"verdict"', '"verdict": "changed", "verdict"'),
      /: a member stands in it twice/,
    ],
    ["without a digest", (text) => text.replace(/,\s*"digest": .*/, ""), /: it was changed/],
    [
      "changed, with a new digest, so that its verdict does not follow",
      (text) => forge(text, (receipt) => ({ ...receipt, verdict: "changed" })),
      /: its verdict does not follow from what it holds$/,
    ],
    [
      "without its looks, with a new digest",
      (text) => forge(text, ({ before: _, ...receipt }) => receipt),
      /: it is not made as a receipt is, expected all its members$/,
    ],
    [
      "unfinished, and called unchanged, with a new digest",
      (text) => forge(text, (receipt) => ({ ...receipt, after: null })),
      /: it is not made as a receipt is/,
    ],
    [
      "nested too deep",
      (text) =>
        text.replace('"version"', `"note": ${"[".repeat(50_000)}${"]".repeat(50_000)}, "version"`),
      /: it is nested too deep, expected/,
    ],
    [
      "about another database, with a new digest",
      (text) => forge(text, (receipt) => ({ ...receipt, databases: ["/other.db"] })),
      /: its verdict does not follow from what it holds$/,
    ],
  ];
  for (const [what, spoil, message] of faults)
    test(`is not trusted when it is ${what}`, async () => {
      using shelf = openShelf();
      const file = shelf.place("receipt.json");
      writeFileSync(file, spoil(await whole()));
      await assert.rejects(readReceipt(file), { failure: "receipt-broken", message });
    });

  test("may be laid out otherwise: its digest is that of its contents", async () => {
    using shelf = openShelf();
    const receipt = await prove(shelf);
    const file = shelf.place("receipt.json");
    writeFileSync(file, JSON.stringify(Object.fromEntries(Object.entries(receipt).toReversed())));
    assert.deepEqual(await readReceipt(file), receipt);
  });

  test("is said to be missing, no file, or too big", async () => {
    using shelf = openShelf();
    const file = shelf.place("receipt.json");
    const failure = "receipt-not-readable";
    await assert.rejects(readReceipt(file), { failure, message: /: there is none, expected/ });
    await assert.rejects(readReceipt(shelf.folder), { failure, message: /: it is no file/ });
    writeFileSync(file, "");
    truncateSync(file, receiptLimits.receiptBytes + 1);
    await assert.rejects(readReceipt(file), {
      failure,
      message: /: it has more than 67108864 bytes/,
    });
    truncateSync(file, receiptLimits.receiptBytes);
    await assert.rejects(readReceipt(file), { failure: "receipt-broken" });
  });
});

/** Changes a receipt and gives it the digest that belongs to it then. */
function forge(text: string, change: (receipt: Receipt) => object): string {
  const changed = change(JSON.parse(text));
  return JSON.stringify({ ...changed, digest: digestOf(changed) });
}

describe("verifyReceipt()", () => {
  test("finds the database as it was, whatever else changes in its folder", async () => {
    using shelf = openShelf();
    const receipt = await prove(shelf);
    writeFileSync(join(shelf.folder, "other"), "");
    assert.deepEqual(await verifyReceipt(receipt, undefined), []);
  });

  const acts: readonly (readonly [what: string, act: (shelf: Shelf) => void, seen: string])[] = [
    ["changed", ({ database }) => writeFileSync(database, "x"), "changed database"],
    ["touched", ({ database }) => utimesSync(database, 1, 1), "changed database"],
    ["gone", ({ database }) => rmSync(database), "leads nowhere database, removed database"],
    [
      "with a new sidecar",
      ({ database }) => writeFileSync(`${database}-wal`, "x"),
      "created sidecar",
    ],
    [
      "gone with its folder",
      ({ folder }) => rmSync(folder, { recursive: true }),
      "leads nowhere database",
    ],
  ];
  for (const [what, act, seen] of acts)
    test(`finds a database that is ${what} since`, async () => {
      using shelf = openShelf();
      const receipt = await prove(shelf);
      act(shelf);
      const differences = await verifyReceipt(receipt, undefined);
      assert.equal(differences.map(({ change, what: of }) => `${change} ${of}`).join(", "), seen);
    });

  test("compares the bytes alone where the database was moved", async () => {
    using shelf = openShelf();
    const receipt = await prove(shelf);
    const moved = shelf.place("moved.db");
    renameSync(shelf.database, moved);
    chmodSync(moved, 0o600);
    assert.deepEqual(await verifyReceipt(receipt, moved), []);
    writeFileSync(`${moved}-wal`, "");
    assert.deepEqual(await verifyReceipt(receipt, moved), []);
    writeFileSync(`${moved}-wal`, "x");
    assert.deepEqual(
      (await verifyReceipt(receipt, moved)).map(({ change, path }) => [change, path]),
      [["created", `${moved}-wal`]],
    );
    await assert.rejects(verifyReceipt(receipt, shelf.database), {
      message: /: there is no such file, expected a database$/,
    });
  });

  test("refuses one place for several databases", async () => {
    using shelf = openShelf();
    writeFileSync(join(shelf.folder, "b.db"), "");
    const receipt = await prove(shelf, undefined, { databases: ["shop.db", "b.db"] });
    await assert.rejects(verifyReceipt(receipt, shelf.database), {
      message: /: the receipt is about 2 databases, expected one$/,
    });
  });
});
