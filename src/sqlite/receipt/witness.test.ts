// What the witness sees: every way in which a database and its folder can be changed, and that looking changes nothing.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { finish } from "../../../fixtures/command-line.ts";
import { openShelf, type Shelf } from "../../../fixtures/shelf.ts";
import { compareLooks } from "./compare-looks.ts";
import { hireWitness } from "./hire-witness.ts";
import { receiptLimits, type ReceiptLimits } from "./limits.ts";
import type { Sighting } from "./witness-talk.ts";
import { createWitness, type Witness } from "./witness.ts";

/** Gives what is different after `act`, as `change subject name: facts`. */
async function seeChanges(
  shelf: Shelf,
  act: () => void,
  path = shelf.database,
): Promise<readonly string[]> {
  using witness = createWitness(process.platform);
  const before = await look(witness, path);
  act();
  const after = await look(witness, path);
  return compareLooks(before.look, after.look, after.cameAndWent).map(
    ({ change, what, path: where, facts }) =>
      `${change} ${what} ${basename(where)}: ${Object.keys(facts).join(" ")}`,
  );
}

function look(
  witness: Witness,
  path: string,
  limits: Partial<ReceiptLimits> = {},
  elsewhere: readonly string[] = [],
): Promise<Sighting> {
  return witness.look({
    databases: [path],
    elsewhere,
    limits: { ...receiptLimits, ...limits },
    isLenient: false,
  });
}

function flipByte(path: string): void {
  const file = openSync(path, "r+");
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, 100);
  byte[0] = (byte[0] ?? 0) ^ 1;
  writeSync(file, byte, 0, 1, 100);
  closeSync(file);
}

/** Does something to a file, and sets its times back. */
function inSecret(path: string, act: () => void): void {
  execFileSync("touch", ["-r", path, `${path}.times`]);
  act();
  execFileSync("touch", ["-r", `${path}.times`, path]);
  rmSync(`${path}.times`);
}

const folderMoved = "changed folder data: mtimeNs ctimeNs";

/** What is done, and what is seen of it. */
const acts: readonly (readonly [
  what: string,
  act: (shelf: Shelf) => void,
  seen: readonly string[],
])[] = [
  ["nothing", () => {}, []],
  ["reading it", ({ database }) => void readFileSync(database), []],
  [
    "touch",
    ({ database }) => utimesSync(database, 1, 1),
    ["changed database shop.db: mtimeNs ctimeNs"],
  ],
  [
    "chmod",
    ({ database }) => chmodSync(database, 0o600),
    ["changed database shop.db: mode ctimeNs"],
  ],
  [
    "the same bytes by rename",
    ({ database, place }) => {
      copyFileSync(database, place("copy"));
      renameSync(place("copy"), database);
    },
    ["changed database shop.db: inode mtimeNs ctimeNs", folderMoved],
  ],
  [
    "one byte flipped and its time set back",
    ({ database }) => inSecret(database, () => flipByte(database)),
    [
      "changed database shop.db: sha256 ctimeNs",
      folderMoved,
      "came and went sidecar shop.db.times: ",
    ],
  ],
  [
    "one byte flipped and flipped back",
    ({ database }) => {
      const { atime, mtime } = statSync(database);
      flipByte(database);
      flipByte(database);
      utimesSync(database, atime, mtime);
    },
    ["changed database shop.db: mtimeNs ctimeNs"],
  ],
  [
    "another name for it elsewhere",
    ({ database, place }) => linkSync(database, place("link")),
    ["changed database shop.db: links ctimeNs"],
  ],
  [
    "a row more",
    ({ database }) => {
      using writer = new DatabaseSync(database);
      writer.exec("INSERT INTO items VALUES ('rice')");
    },
    [
      "changed database shop.db: sha256 mtimeNs ctimeNs",
      folderMoved,
      "came and went sidecar shop.db-journal: ",
    ],
  ],
  [
    "a -journal left behind",
    ({ database }) => writeFileSync(`${database}-journal`, "x"),
    [
      "created sidecar shop.db-journal: kind sha256 size inode mode owner links mtimeNs ctimeNs",
      folderMoved,
    ],
  ],
  [
    "VACUUM INTO a file of its folder",
    ({ database, folder }) => {
      using reader = new DatabaseSync(database, { readOnly: true });
      reader.exec(`VACUUM INTO '${join(folder, "leak")}'`);
    },
    [
      "created other leak: kind size mode owner links mtimeNs ctimeNs",
      folderMoved,
      "came and went other leak-journal: ",
    ],
  ],
  [
    "a file that comes and goes",
    ({ folder }) => {
      writeFileSync(join(folder, "draft"), "");
      rmSync(join(folder, "draft"));
    },
    [folderMoved, "came and went other draft: "],
  ],
  [
    "a folder made beside it",
    ({ folder }) => mkdirSync(join(folder, "more")),
    ["created other more: kind inode mode owner", folderMoved],
  ],
  [
    "chmod of its folder",
    ({ folder }) => chmodSync(folder, 0o700),
    ["changed folder data: mode ctimeNs"],
  ],
  [
    "the database removed",
    ({ database }) => rmSync(database),
    [
      "leads nowhere database shop.db: folder name",
      "removed database shop.db: kind sha256 size inode mode owner links mtimeNs ctimeNs",
      folderMoved,
    ],
  ],
  [
    "its folder removed",
    ({ folder }) => rmSync(folder, { recursive: true }),
    ["leads nowhere database shop.db: folder name", "removed folder data: "],
  ],
  [
    "a folder in its place",
    ({ database }) => {
      rmSync(database);
      mkdirSync(database);
    },
    ["changed database shop.db: kind size mode links mtimeNs ctimeNs", folderMoved],
  ],
  [
    "a FIFO in its place, which is not opened",
    ({ database }) => {
      rmSync(database);
      execFileSync("mkfifo", ["-m", "0644", database]);
    },
    ["changed database shop.db: kind size mtimeNs ctimeNs", folderMoved],
  ],
  [
    "two thirds cut off",
    ({ database }) => truncateSync(database, 4096),
    ["changed database shop.db: sha256 size mtimeNs ctimeNs"],
  ],
];

describe("the witness", { skip: process.platform !== "linux" }, () => {
  for (const [what, act, seen] of acts)
    test(`sees ${what}`, async () => {
      using shelf = openShelf();
      const changes = await seeChanges(shelf, () => act(shelf));
      // A new file may take the number of one that is gone.
      const told = changes.map((each) => each.replace(/(?<=: kind size) inode(?= m)/, ""));
      assert.deepEqual(told, seen);
    });

  test("sees the sidecars that a reader of a WAL database leaves, and an empty one go", async () => {
    using shelf = openShelf("wal");
    const changes = await seeChanges(shelf, () => {
      using reader = new DatabaseSync(shelf.database, { readOnly: true });
      reader.prepare("SELECT * FROM items").all();
    });
    assert.deepEqual(
      changes.map((each) => each.split(":")[0]),
      ["created sidecar shop.db-shm", "created sidecar shop.db-wal", "changed folder data"],
    );
  });

  test("follows a link to the database, and sees it point elsewhere", async () => {
    using shelf = openShelf();
    const link = shelf.place("link.db");
    symlinkSync(shelf.database, link);
    const changes = await seeChanges(
      shelf,
      () => {
        writeFileSync(shelf.place("other.db"), "");
        rmSync(link);
        symlinkSync(shelf.place("other.db"), link);
      },
      link,
    );
    assert.deepEqual(changes, ["leads elsewhere database shop.db: folder name"]);
  });

  test("sees names of any bytes, and never the same for two", async () => {
    using shelf = openShelf();
    const names = [Uint8Array.of(0xff, 0xfe), Buffer.from("a\n\u{202e}b"), Buffer.from("名")];
    using witness = createWitness(process.platform);
    const before = await look(witness, shelf.database);
    for (const name of names)
      writeFileSync(Buffer.concat([Buffer.from(`${shelf.folder}/`), name]), "");
    const after = await look(witness, shelf.database);
    assert.deepEqual(
      compareLooks(before.look, after.look, after.cameAndWent)
        .filter(({ change }) => change === "created")
        .map(({ path }) => basename(path)),
      ["\\{ff}\\{fe}", "a\\u{a}\\u{202e}b", "名"],
    );
  });

  test("says that a file is changing while a writer is at work", async () => {
    using shelf = openShelf();
    const big = `${shelf.database}-wal`;
    writeFileSync(big, "");
    truncateSync(big, 300_000_000); // takes long enough to hash
    using witness = createWitness(process.platform);
    const writer = setInterval(() => appendFileSync(big, "x"), 2);
    const { look: seen } = await look(witness, shelf.database);
    clearInterval(writer);
    assert.equal(
      seen.folders[0]?.entries.find(({ name }) => name === "shop.db-wal")?.isMoving,
      true,
    );
    assert.deepEqual(
      compareLooks(seen, seen, null).map(({ change, path }) => [change, basename(path)]),
      [["is changing", "shop.db-wal"]],
    );
  });

  test("waits until what it sees is older than a tick of the clock", async () => {
    using shelf = openShelf();
    using witness = createWitness(process.platform);
    utimesSync(shelf.database, 1, 1); // sets ctime to now
    const { look: seen } = await look(witness, shelf.database);
    const ctimeMs = Number(BigInt(seen.folders[0]?.entries[0]?.ctimeNs ?? 0) / 1_000_000n);
    assert.ok(Date.now() - ctimeMs >= 50);
  });

  test("changes nothing itself, not even the time of the last access", async () => {
    using shelf = openShelf("wal");
    using witness = createWitness(process.platform);
    utimesSync(shelf.database, 1, 1); // so old that the system would renew it
    const before = statSync(shelf.database, { bigint: true });
    for (let count = 0; count < 2; count++) await look(witness, shelf.database);
    assert.deepEqual(statSync(shelf.database, { bigint: true }), before);
  });

  test("counts other folders without hashing, once each, and leaves out what is not there", async () => {
    using shelf = openShelf();
    using witness = createWitness(process.platform);
    const others = [shelf.temporary, shelf.folder, shelf.temporary, shelf.place("nothing")];
    writeFileSync(join(shelf.temporary, "a"), "");
    const { elsewhere } = await look(witness, shelf.database, {}, others);
    assert.deepEqual(
      elsewhere.map(({ path, entries }) => [
        path,
        entries.map(({ name, sha256 }) => [name, sha256]),
      ]),
      [[shelf.temporary, [["a", undefined]]]],
    );
  });
});

describe("what cannot be looked at", () => {
  const refusals: readonly (readonly [
    what: string,
    prepare: (shelf: Shelf) => string,
    message: RegExp,
  ])[] = [
    ["no file", ({ place }) => place("no.db"), /: there is no such file, expected a database$/],
    [
      "a path through a file",
      ({ database }) => join(database, "x"),
      /: there is no such file, expected a database$/,
    ],
    ["a folder", ({ folder }) => folder, /: it is a folder, expected a file$/],
    [
      "a link without an end",
      ({ place }) => {
        symlinkSync("loop", place("loop"));
        return place("loop");
      },
      /: it cannot be reached \(ELOOP\), expected a file that this user may read$/,
    ],
    [
      "a FIFO",
      ({ place }) => {
        execFileSync("mkfifo", [place("fifo")]);
        return place("fifo");
      },
      /: it is a FIFO, expected a file$/,
    ],
    [
      "a device",
      () => "/dev/zero",
      /^Cannot look at "\/dev\/zero": it is a device, expected a file$/,
    ],
  ];
  for (const [what, prepare, message] of refusals)
    test(`${what} is refused by name`, { skip: process.platform === "win32" }, async () => {
      using shelf = openShelf();
      using witness = createWitness(process.platform);
      await assert.rejects(look(witness, prepare(shelf)), { code: "cannot-look", message });
    });

  test(
    "whoever may not read the file, a sidecar or the folder is told which",
    { skip: process.platform === "win32" },
    () => {
      using shelf = openShelf();
      const program = `
      const { takeFirstLook } = await import(${JSON.stringify(new URL("take-look.ts", import.meta.url).href)});
      const { receiptLimits } = await import(${JSON.stringify(new URL("limits.ts", import.meta.url).href)});
      if (process.getuid() === 0) process.setuid(65534); // after the import: the checkout may be root's alone
      await takeFirstLook([process.argv[1]], receiptLimits).then(() => console.log("seen"), (error) => console.log(error.message));`;
      const see = (): string =>
        spawnSync(process.execPath, ["--input-type=module", "-e", program, shelf.database], {
          encoding: "utf8",
        })
          .stdout.replace(/^Cannot look at ".*?": /, "")
          .trim();
      assert.equal(see(), "seen");
      writeFileSync(`${shelf.database}-wal`, "", { mode: 0o200 });
      assert.match(see(), /^shop\.db-wal beside it cannot be read, expected files/);
      rmSync(`${shelf.database}-wal`);
      chmodSync(shelf.database, 0o000);
      assert.match(see(), /^it cannot be read \(EACCES\), expected a file/);
      chmodSync(shelf.database, 0o644);
      chmodSync(shelf.folder, 0o711);
      assert.match(see(), /^its folder cannot be listed \(EACCES\), expected one/);
      chmodSync(shelf.folder, 0o600);
      assert.match(see(), /^it cannot be reached \(EACCES\), expected a file/);
      chmodSync(shelf.folder, 0o755);
    },
  );

  /** A limit, the largest number that is refused, and the sentence; the folder holds the database, 8192 bytes, and one sidecar. */
  const limits = [
    ["folderEntries", 1, /: its folder has more than 1 entries, expected fewer/],
    ["fileBytes", 8191, /: it has more than 8191 bytes, expected/],
  ] as const;
  for (const [name, refused, message] of limits)
    test(`${name} holds at its number and refuses one below`, async () => {
      using shelf = openShelf();
      writeFileSync(`${shelf.database}-wal`, "");
      for (const limit of [refused + 1, refused + 2]) {
        using witness = createWitness(process.platform);
        await look(witness, shelf.database, { [name]: limit });
      }
      using witness = createWitness(process.platform);
      await assert.rejects(look(witness, shelf.database, { [name]: refused }), { message });
    });

  test("fileBytes holds for a sidecar too", async () => {
    using shelf = openShelf();
    using witness = createWitness(process.platform);
    writeFileSync(`${shelf.database}-wal`, Buffer.alloc(8193));
    await assert.rejects(look(witness, shelf.database, { fileBytes: 8192 }), {
      message: /: shop\.db-wal beside it is too big, expected/,
    });
  });

  test("namesakeBytes bounds what is hashed of other files with the database's name", async () => {
    using shelf = openShelf();
    for (const day of [1, 2, 3]) writeFileSync(`${shelf.database}.${day}`, "12345");
    const hashed = async (namesakeBytes: number): Promise<readonly string[]> => {
      using witness = createWitness(process.platform);
      const { look: seen } = await look(witness, shelf.database, { namesakeBytes });
      const entries = seen.folders[0]?.entries ?? [];
      return entries.filter(({ sha256 }) => sha256 !== undefined).map(({ name }) => name);
    };
    assert.deepEqual(await hashed(9), ["shop.db", "shop.db.1"]);
    assert.deepEqual(await hashed(10), ["shop.db", "shop.db.1", "shop.db.2"]);
    assert.deepEqual(await hashed(11), ["shop.db", "shop.db.1", "shop.db.2"]);
  });

  test("a folder elsewhere with more than elsewhereEntries is left out", async () => {
    using shelf = openShelf();
    for (const name of ["a", "b"]) writeFileSync(join(shelf.temporary, name), "");
    for (const [elsewhereEntries, unlisted] of [
      [1, "crowded"],
      [2, null],
      [3, null],
    ] as const) {
      using witness = createWitness(process.platform);
      const seen = await look(witness, shelf.database, { elsewhereEntries }, [shelf.temporary]);
      assert.equal(seen.elsewhere[0]?.unlisted, unlisted);
    }
  });

  test("a folder that fills up is told, though its entries are not", async () => {
    using shelf = openShelf();
    using witness = createWitness(process.platform);
    const before = await look(witness, shelf.database, { folderEntries: 1 });
    writeFileSync(join(shelf.folder, "more"), "");
    const after = await look(witness, shelf.database, { folderEntries: 1 });
    assert.deepEqual(
      compareLooks(before.look, after.look, null).map(({ change, facts }) => [change, facts]),
      [["unlisted", { unlisted: [null, "crowded"] }]],
    );
  });
});

describe("the process of the witness", () => {
  test("loads neither SQLite nor the gate", async () => {
    const program = new URL("main.ts", import.meta.url).href;
    const script = `
      import { registerHooks } from "node:module";
      registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });
      await import(${JSON.stringify(program)});`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    const { code, stdout } = await finish(child);
    assert.equal(code, 0);
    assert.match(stdout, /\/receipt\/census\.ts$/m);
    assert.doesNotMatch(stdout, /node:sqlite|node:child_process|\/gate\//);
  });

  test("leaves the locks of this process alone, which hashing the file here would drop", async () => {
    using shelf = openShelf();
    using writer = new DatabaseSync(shelf.database);
    writer.exec("BEGIN EXCLUSIVE");
    const script = `new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("BEGIN EXCLUSIVE")`;
    const isLocked = (): boolean =>
      spawnSync(process.execPath, ["-e", script, shelf.database], {
        encoding: "utf8",
      }).stderr.includes("database is locked");
    using hired = hireWitness();
    await look(hired, shelf.database);
    assert.equal(isLocked(), true);
    using own = createWitness(process.platform);
    await look(own, shelf.database);
    assert.equal(isLocked(), process.platform === "win32");
  });

  test("a witness that does not answer in time, and one that has died, is told", async () => {
    using shelf = openShelf();
    {
      using witness = hireWitness();
      await assert.rejects(look(witness, shelf.database, { lookMs: 1 }), {
        failure: "witness-lost",
        message: /: the process that looks gave no answer in 1 ms, expected an answer$/,
      });
    }
    const witness = hireWitness();
    witness[Symbol.dispose]();
    await assert.rejects(look(witness, shelf.database), {
      failure: "witness-lost",
      message: /: the process that looks has ended/,
    });
  });

  test(
    "ends with the process that has hired it",
    { skip: process.platform !== "linux" },
    async () => {
      using shelf = openShelf();
      const script = `
      import { readFileSync } from "node:fs";
      import { hireWitness } from ${JSON.stringify(new URL("hire-witness.ts", import.meta.url).href)};
      import { receiptLimits } from ${JSON.stringify(new URL("limits.ts", import.meta.url).href)};
      const witness = hireWitness();
      await witness.look({ databases: [process.argv[1]], elsewhere: [], limits: receiptLimits, isLenient: false });
      console.log(readFileSync("/proc/self/task/" + process.pid + "/children", "utf8"));
      process.kill(process.pid, "SIGKILL");`;
      const child = spawn(
        process.execPath,
        ["--input-type=module-typescript", "--eval", script, shelf.database],
        { env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
      );
      const { stdout } = await finish(child);
      assert.match(stdout, /^\d+ \n$/);
      while (isRunning(stdout.trim())) await sleep(10);
    },
  );
});

/** A zombie has no command line any more. */
function isRunning(id: string): boolean {
  try {
    return readFileSync(`/proc/${id}/cmdline`).length > 0;
  } catch {
    return false; // it is gone
  }
}
