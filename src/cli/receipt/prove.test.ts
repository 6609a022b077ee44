// `genkan prove` as people run it: real commands that write and that do not, and every way in which it goes wrong.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, test } from "node:test";
import { finish, genkanWords, type Ending } from "../../../fixtures/command-line.ts";
import { openShelf, type Shelf } from "../../../fixtures/shelf.ts";
import { loadReceipts, type Receipt } from "../../sqlite/index.ts";
import { digestOf } from "../../sqlite/receipt/receipt.ts";

const { readReceipt } = await loadReceipts();
const isPosix = process.platform !== "win32";
const isLinux = process.platform === "linux";

interface Proof extends Ending {
  readonly receipt: Receipt;
}

/** Proves the shelf's database with a receipt outside of its folder. */
async function prove(
  shelf: Shelf,
  command: readonly string[],
  ...flags: readonly string[]
): Promise<Proof> {
  const file = shelf.place("receipt.json");
  const ending = await shelf.run("prove", "shop.db", "--receipt", file, ...flags, "--", ...command);
  return { ...ending, receipt: await readReceipt(file) };
}

/** A command that runs this script. */
function node(script: string): readonly string[] {
  return [process.execPath, "-e", script];
}

const readOnce = `const { DatabaseSync } = require("node:sqlite"); new DatabaseSync("shop.db", { readOnly: true }).prepare("SELECT * FROM items").all()`;

describe("prove", { skip: !isPosix }, () => {
  test("a command that only reads ends with 0, and its output is its own", async () => {
    using shelf = openShelf();
    const { code, stdout, stderr, receipt } = await prove(shelf, ["cat", "shop.db"]);
    assert.equal(code, 0);
    assert.equal(stdout.length, readFileSync(shelf.database, "utf8").length);
    assert.match(stderr, new RegExp(`^Unchanged: ${shelf.database}\n  [0-9a-f]{64}  shop\\.db\n`));
    assert.match(stderr, /^What it cannot promise:\n {2}- Who changed a file: .+\n/m);
    assert.ok(stderr.endsWith(`Digest of this receipt: ${receipt.digest}\n`));
    assert.deepEqual(
      [receipt.verdict, receipt.ending, receipt.stillRunning],
      ["unchanged", { code: 0, signal: null, error: null }, isLinux ? [] : null],
    );
    assert.equal(receipt.measured.writtenBytes === null, !isLinux);
  });

  /** Commands that write, and what stderr names. */
  const writers: readonly (readonly [
    what: string,
    command: readonly string[],
    said: readonly RegExp[],
  ])[] = [
    [
      "reading a WAL database with mode=ro, which leaves sidecars",
      node(readOnce),
      [
        /created {2}sidecar \S+shop\.db-shm: file, 32768 bytes/,
        /created {2}sidecar \S+shop\.db-wal: file, 0 bytes/,
      ],
    ],
    [
      "VACUUM INTO the folder, on a handle that is read-only",
      node(
        `const { DatabaseSync } = require("node:sqlite"); new DatabaseSync("file:shop.db?immutable=1", { readOnly: true }).exec("VACUUM INTO 'leak.db'")`,
      ),
      [/created {2}\S+leak\.db: file, 8192 bytes/],
    ],
    ["touch", ["touch", "shop.db"], [/changed {2}database \S+: mtime \S+Z → \S+Z, ctime/]],
    ["chmod", ["chmod", "600", "shop.db"], [/changed {2}database \S+: mode 0644 → 0600, ctime/]],
    [
      "the same bytes by rename",
      ["sh", "-c", "cp shop.db new && mv new shop.db"],
      [/changed {2}database \S+: inode \d+ → \d+/, /came and went {2}\S+new$/m],
    ],
    [
      "one byte, its time set back",
      [
        "sh",
        "-c",
        "cp -p shop.db ../old && printf x | dd of=shop.db bs=1 seek=100 conv=notrunc status=none && touch -r ../old shop.db",
      ],
      [/changed {2}database \S+: sha256 [0-9a-f]{12}… → [0-9a-f]{12}…, ctime/],
    ],
    [
      "a -journal",
      ["touch", "shop.db-journal"],
      [/created {2}sidecar \S+shop\.db-journal: file, 0 bytes/],
    ],
    [
      "rm",
      ["rm", "shop.db"],
      [/leads nowhere {2}database \S+shop\.db$/m, /removed {2}database \S+shop\.db$/m],
    ],
  ];
  for (const [what, command, said] of writers)
    test(`finds ${what}, and ends with 1`, async () => {
      using shelf = openShelf("wal");
      const { code, stderr, receipt } = await prove(shelf, command);
      assert.deepEqual([code, receipt.verdict, receipt.ending?.code], [1, "changed", 0], stderr);
      assert.match(stderr, /^Changed(?:: | beside )/);
      if (isLinux) for (const each of said) assert.match(stderr, each);
    });

  test("without a file the receipt is printed alone, with --json as JSON, apart from what the command prints", async () => {
    using shelf = openShelf();
    const { code, stdout, stderr } = await shelf.run(
      "prove",
      "shop.db",
      "--json",
      "--",
      "echo",
      "hello",
    );
    assert.deepEqual([code, stderr], [0, "hello\n"]);
    assert.partialDeepStrictEqual(JSON.parse(stdout), {
      format: "genkan-receipt",
      verdict: "unchanged",
      databases: [shelf.database],
      command: { words: ["echo", "hello"] },
    });
  });

  test("the command gets this stdin", async () => {
    using shelf = openShelf();
    const child = shelf.start("prove", "shop.db", "--", "cat");
    child.stdin.end("hello");
    assert.equal((await finish(child)).stdout, "hello");
  });

  test("gives the same receipt for the same run, but for what was measured", async () => {
    using shelf = openShelf();
    const command = genkanWords(["audit", "--help"]);
    const strip = ({ receipt: { measured: _, digest: __, ...rest } }: Proof): object => rest;
    assert.deepEqual(strip(await prove(shelf, command)), strip(await prove(shelf, command)));
  });

  test("finds nothing that genkan's own door has written, whatever it was asked", async () => {
    using shelf = openShelf("wal");
    writeDoor(shelf, shelf.place("state"));
    const call = genkanWords(["call", "list_items", "{}", "--", ...genkanWords(["serve"])]);
    const { code, stdout, stderr, receipt } = await prove(shelf, call);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /"tea"/);
    assert.deepEqual([receipt.verdict, receipt.differences], ["unchanged", []]);
    assert.deepEqual([receipt.elsewhere.total, receipt.stillRunning], [0, isLinux ? [] : null]);
  });

  /** How a command ends, and what is kept of it. */
  const failures: readonly (readonly [
    what: string,
    command: readonly string[],
    ending: Receipt["ending"],
    said: RegExp,
  ])[] = [
    [
      "fails",
      ["sh", "-c", "exit 3"],
      { code: 3, signal: null, error: null },
      /: ended with code 3$/m,
    ],
    [
      "is killed",
      ["sh", "-c", "kill -9 $$"],
      { code: null, signal: "SIGKILL", error: null },
      /: ended by SIGKILL$/m,
    ],
    [
      "is not there",
      ["no-such-command"],
      { code: null, signal: null, error: "there is no such command" },
      /^Cannot run "no-such-command": there is no such command, expected a command\n/,
    ],
    [
      "may not be executed",
      ["./shop.db"],
      { code: null, signal: null, error: "it may not be executed" },
      /^Cannot run "\.\/shop\.db": it may not be executed, expected a command\n/,
    ],
  ];
  for (const [what, command, ending, said] of failures)
    test(`a command that ${what} ends it with 8, and is no change`, async () => {
      using shelf = openShelf();
      const { code, stderr, receipt } = await prove(shelf, command);
      assert.deepEqual([code, receipt.verdict, receipt.ending], [8, "unchanged", ending], stderr);
      assert.match(stderr, said);
    });

  test("a command that writes and fails ends it with 1", async () => {
    using shelf = openShelf();
    assert.equal((await prove(shelf, ["sh", "-c", "touch shop.db; exit 3"])).code, 1);
  });

  test(
    "what runs on is waited for, and named where it does not end",
    { skip: !isLinux },
    async () => {
      using shelf = openShelf();
      const brief = await prove(shelf, ["sh", "-c", "(sleep 0.3; touch late) > /dev/null 2>&1 &"]);
      assert.deepEqual([brief.code, brief.receipt.stillRunning], [1, []]);
      const left = await prove(shelf, ["sh", "-c", "sleep 60 > /dev/null 2>&1 & echo $!"]);
      process.kill(Number(left.stdout), "SIGKILL");
      assert.deepEqual([left.code, left.receipt.stillRunning], [0, ["sleep"]]);
      assert.match(left.stderr, /^ {2}Still running when this was written: sleep$/m);
    },
  );

  test("--except lets a name change, and the receipt says so", async () => {
    using shelf = openShelf();
    const proof = await prove(shelf, ["touch", "log"], "--except", "log", "--except", "cache");
    assert.deepEqual(
      [proof.code, proof.receipt.except],
      [0, [join(shelf.folder, "log"), join(shelf.folder, "cache")]],
    );
    assert.match(proof.stderr, /- What was excepted/);
  });
});

describe("prove that is interrupted", { skip: !isPosix }, () => {
  /** Starts a command that says when it runs, and waits for that. */
  async function startSlow(
    shelf: Shelf,
    script: string,
  ): Promise<{ readonly child: ChildProcess; readonly said: string }> {
    const file = shelf.place("receipt.json");
    const child = shelf.start("prove", "shop.db", "--receipt", file, "--", "sh", "-c", script);
    const [said]: unknown[] = await once(child.stdout.setEncoding("utf8"), "data");
    return { child, said: String(said) };
  }

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    test(`by ${signal} passes it on, and writes the receipt all the same`, async () => {
      using shelf = openShelf();
      const { child } = await startSlow(shelf, "echo ready; exec sleep 60");
      child.kill(signal);
      assert.deepEqual(await once(child, "close"), [130, null]);
      const { verdict, ending } = await readReceipt(shelf.place("receipt.json"));
      assert.deepEqual([verdict, ending], ["unchanged", { code: null, signal, error: null }]);
    });

  test("tells what was written until then, with 1", async () => {
    using shelf = openShelf();
    const { child } = await startSlow(shelf, "touch shop.db; echo ready; exec sleep 60");
    child.kill("SIGINT");
    assert.deepEqual(await once(child, "close"), [1, null]);
  });

  test("twice kills a command that does not listen", async () => {
    using shelf = openShelf();
    const { child } = await startSlow(
      shelf,
      "trap '' INT TERM; echo ready; while :; do sleep 1; done",
    );
    child.kill("SIGTERM");
    child.kill("SIGINT");
    assert.deepEqual(await once(child, "close"), [130, null]);
    assert.equal((await readReceipt(shelf.place("receipt.json"))).ending?.signal, "SIGKILL");
  });

  test("by SIGKILL leaves a receipt that says unfinished", async () => {
    using shelf = openShelf();
    const { child, said } = await startSlow(shelf, "echo $$; exec sleep 60");
    child.kill("SIGKILL");
    await once(child, "exit");
    process.kill(Number(said), "SIGKILL");
    const { verdict, after } = await readReceipt(shelf.place("receipt.json"));
    assert.deepEqual([verdict, after], ["unfinished", null]);
    const { code, stdout } = await shelf.run("prove", "--verify", shelf.place("receipt.json"));
    assert.equal(code, 1);
    assert.match(stdout, /^The receipt is intact, but the end of its run was not seen\n/);
    assert.match(stdout, /^Still the same: /m);
  });
});

describe("prove --trace", { skip: spawnSync("strace", ["-V"]).status !== 0 }, () => {
  test("tells what the command and its children touched, and not what others did", async () => {
    using shelf = openShelf();
    const script = `sh -c "mv shop.db 'a b.db'; mv 'a b.db' shop.db"; echo > ../spill; exit 3`;
    const { code, receipt } = await prove(shelf, ["sh", "-c", script], "--trace");
    assert.deepEqual([code, receipt.ending?.code], [1, 3]);
    assert.deepEqual(receipt.trace, {
      total: 3,
      isWhole: true,
      files: [
        { path: join(shelf.folder, "a b.db"), acts: ["renamed"] },
        { path: shelf.database, acts: ["renamed"] },
        { path: shelf.place("spill"), acts: ["opened to write"] },
      ],
    });
  });

  test("leaves nothing behind, and says itself that there is no such command", async () => {
    using shelf = openShelf();
    const { code, stderr } = await shelf.run(
      "prove",
      "shop.db",
      "--trace",
      "--",
      "no-such-command",
    );
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Cannot trace "no-such-command": there is no such command, expected one\n/,
    );
    await prove(shelf, ["cat", "shop.db"], "--trace");
    assert.deepEqual(execFileSync("ls", [shelf.temporary], { encoding: "utf8" }), "");
  });

  test("without strace it says so, and runs nothing", async () => {
    using shelf = openShelf();
    const [command = "", ...args] = genkanWords([
      "prove",
      "shop.db",
      "--trace",
      "--",
      process.execPath,
      "-e",
      "1",
    ]);
    const child = spawn(command, args, { cwd: shelf.folder, env: { PATH: shelf.folder } });
    const { code, stderr } = await finish(child);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Cannot trace the command: there is no "strace", expected it in PATH\n {2}hint: /,
    );
  });
});

describe("prove that cannot begin", { skip: !isPosix }, () => {
  /** The words, the exit code and what stderr says; the command would leave a file. */
  const failures: readonly (readonly [
    what: string,
    prepare: (shelf: Shelf) => readonly string[],
    code: number,
    stderr: RegExp,
  ])[] = [
    [
      "without a database",
      () => [],
      1,
      /^Cannot run "genkan prove": no database is named, expected one before --\n/,
    ],
    [
      "a database that is not there",
      () => ["no.db"],
      1,
      /^Cannot look at ".+no\.db": there is no such file, expected a database\n/,
    ],
    ["a folder", () => ["."], 1, /^Cannot look at ".+": it is a folder, expected a file\n/],
    [
      "too many files in the folder",
      ({ folder }) => {
        for (let count = 0; count < 10_000; count++) writeFileSync(join(folder, String(count)), "");
        return ["shop.db"];
      },
      1,
      /^Cannot look at ".+": its folder has more than 10000 entries, expected fewer: all of them are compared\n/,
    ],
    [
      "a receipt that is another file",
      () => ["shop.db", "--receipt", "shop.db"],
      74,
      /^Cannot write the receipt ".+shop\.db": it is the database, expected another file\n/,
    ],
    [
      "a receipt in no folder",
      () => ["shop.db", "--receipt", "no/receipt.json"],
      74,
      /^Cannot write the receipt ".+": its folder is not there, expected a file that can be written\n/,
    ],
  ];
  for (const [what, prepare, code, message] of failures)
    test(`${what}: says so, and runs nothing`, async () => {
      using shelf = openShelf();
      const left = shelf.place("left");
      const before = readFileSync(shelf.database);
      const ending = await shelf.run("prove", ...prepare(shelf), "--", "touch", left);
      assert.deepEqual([ending.code, ending.stdout], [code, ""], ending.stderr);
      assert.match(ending.stderr, message);
      assert.equal(existsSync(left), false);
      assert.deepEqual(readFileSync(shelf.database), before);
    });

  test("without a command: says so", async () => {
    using shelf = openShelf();
    for (const words of [["shop.db"], ["shop.db", "--"]]) {
      const { code, stderr } = await shelf.run("prove", ...words);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^Cannot run "genkan prove": no command is given, expected one after --\n {2}hint: /,
      );
    }
  });

  const isForNobody = isPosix && process.getuid?.() === 0 && isReadableByNobody();
  test(
    "whoever is not root proves what he may read, and is told what he may not",
    { skip: !isForNobody },
    async () => {
      using shelf = openShelf("wal");
      chmodSync(shelf.folder, 0o555);
      chmodSync(shelf.temporary, 0o777);
      const file = join(shelf.temporary, "receipt.json");
      const run = (...words: readonly string[]): Promise<Ending> => {
        const [command = "", ...args] = genkanWords(words);
        const environment = {
          PATH: process.env["PATH"],
          TMPDIR: shelf.temporary,
          HOME: shelf.temporary,
        };
        return finish(
          spawn(command, args, { cwd: shelf.folder, env: environment, uid: 65_534, gid: 65_534 }),
        );
      };
      const read = await run("prove", "shop.db", "--receipt", file, "--", "cat", "shop.db");
      assert.equal(read.code, 0, read.stderr);
      const denied = await run(
        "prove",
        "shop.db",
        "--receipt",
        "receipt.json",
        "--",
        "cat",
        "shop.db",
      );
      assert.equal(denied.code, 74);
      assert.match(
        denied.stderr,
        /: the system refuses \(EACCES\), expected a file that can be written\n/,
      );
      chmodSync(shelf.database, 0o600);
      const blind = await run("prove", "shop.db", "--", "true");
      assert.equal(blind.code, 1);
      assert.match(
        blind.stderr,
        /: it cannot be read \(EACCES\), expected a file that this user may read\n/,
      );
    },
  );
});

/** Whether another user may run this checkout at all. */
function isReadableByNobody(): boolean {
  const [command = "", program = ""] = genkanWords([]);
  const script = `fs.accessSync(${JSON.stringify(program)})`;
  return spawnSync(command, ["-e", script], { uid: 65_534, gid: 65_534 }).status === 0;
}

describe("prove --verify", { skip: !isPosix }, () => {
  test("finds the receipt intact and the database the same, wherever it is asked", async () => {
    using shelf = openShelf();
    const { receipt } = await prove(shelf, ["true"]);
    const { code, stdout, stderr } = await shelf.run("prove", "--verify", "../receipt.json");
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(
      stdout,
      /^The receipt is intact, and says: unchanged\n {2}true: ended with code 0\n/,
    );
    assert.ok(stdout.includes(`  ${receipt.digest}\n`));
    assert.ok(stdout.endsWith(`Still the same: ${shelf.database}\n`));
  });

  test("finds a database that has changed since, with 1 and the difference", async () => {
    using shelf = openShelf();
    await prove(shelf, ["true"]);
    truncateSync(shelf.database, 4096);
    const { code, stdout } = await shelf.run("prove", "--verify", "../receipt.json");
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^Changed since: \S+shop\.db\n {2}changed {2}database \S+: sha256 .+, size 8192 → 4096, /m,
    );
    const json = await shelf.run("prove", "--verify", "../receipt.json", "--json");
    assert.partialDeepStrictEqual(JSON.parse(json.stdout), { verdict: "unchanged", isSame: false });
  });

  test("does not call a receipt well that says changed", async () => {
    using shelf = openShelf();
    await prove(shelf, ["touch", "shop.db"]);
    const { code, stdout } = await shelf.run("prove", "--verify", "../receipt.json");
    assert.equal(code, 1);
    assert.match(stdout, /^The receipt is intact, and says: changed\n/);
    assert.match(stdout, /^Still the same: /m);
  });

  test("compares the bytes of a database that was moved", async () => {
    using shelf = openShelf();
    await prove(shelf, ["true"]);
    mkdirSync(shelf.place("moved"));
    renameSync(shelf.database, shelf.place("moved/shop.db"));
    const same = await shelf.run("prove", "--verify", "../receipt.json", "../moved/shop.db");
    assert.equal(same.code, 0);
    assert.match(same.stdout, /^The same bytes: \.\.\/moved\/shop\.db$/m);
    writeFileSync(shelf.place("moved/shop.db"), "x");
    const other = await shelf.run("prove", "--verify", "../receipt.json", "../moved/shop.db");
    assert.equal(other.code, 1);
    assert.match(other.stdout, /^Other bytes: \.\.\/moved\/shop\.db$/m);
  });

  test("trusts none that was cut off or changed, and ends with 7", async () => {
    using shelf = openShelf();
    const file = shelf.place("receipt.json");
    await prove(shelf, ["touch", "shop.db"]);
    const text = readFileSync(file, "utf8");
    const spoilt = [
      [text.slice(0, -3), /in the midst, expected a whole receipt$/m],
      [text.replace('"changed"', '"unchanged"'), /it was changed after it was written/],
      [
        text.replace('"version": 1', '"version": 9'),
        /its version is the number 9, expected 1\n {2}hint: /,
      ],
      ["{}", /it is JSON but no receipt/],
    ] as const;
    for (const [content, message] of spoilt) {
      writeFileSync(file, content);
      const { code, stdout, stderr } = await shelf.run("prove", "--verify", file);
      assert.deepEqual([code, stdout], [7, ""]);
      assert.match(stderr, message);
    }
    rmSync(file);
    const { code, stderr } = await shelf.run("prove", "--verify", file);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Cannot read the receipt ".+": there is none, expected a file that genkan prove has written\n/,
    );
  });

  test("prints nothing that acts upon a terminal, whoever wrote the receipt", async () => {
    using shelf = openShelf();
    const { receipt } = await prove(shelf, ["true"]);
    const forged = {
      ...receipt,
      command: { ...receipt.command, words: ["\u001b[2J\u202e"] },
      ending: { code: null, signal: null, error: "\u001b]0;x\u0007" },
      host: { ...receipt.host, system: "\u001b[31m" },
    };
    const sealed = { ...forged, digest: digestOf(forged) };
    writeFileSync(shelf.place("receipt.json"), JSON.stringify(sealed));
    const { code, stdout } = await shelf.run("prove", "--verify", "../receipt.json");
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /[^\n\P{C}]/u);
  });

  test("takes no command, and nothing that belongs to a run", async () => {
    using shelf = openShelf();
    const words = [
      "--verify",
      "r.json",
      "--receipt",
      "a",
      "--except",
      "b",
      "--trace",
      "--",
      "true",
    ];
    const { code, stderr } = await shelf.run("prove", ...words);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Cannot run "genkan prove": --receipt and --except and --trace and a command stands beside --verify, expected none\n/,
    );
  });
});

/** A configuration with one declared tool over the shelf's database. */
function writeDoor({ folder }: Shelf, state: string): void {
  const lines = [
    "name: shop",
    `state: ${state}`,
    "doors:",
    "  shop:",
    "    kind: sqlite",
    "    path: shop.db",
    "    queries:",
    "      - { name: list_items, description: Lists all items., statement: SELECT name FROM items ORDER BY name }",
  ];
  writeFileSync(join(folder, "genkan.yaml"), `${lines.join("\n")}\n`);
}
