// A state folder that cannot be made: a server says so and ends.

import assert from "node:assert/strict";
import process from "node:process";
import { describe, test } from "node:test";
import { genkan } from "../../../fixtures/command-line.ts";
import { openShelf } from "../../../fixtures/shelf.ts";

describe("a state under /proc", { skip: process.platform !== "linux" }, () => {
  test("ends a server at once, with the error of a state", async () => {
    using shelf = openShelf();
    const path = shelf.place("aio.db");
    assert.equal((await genkan("aio", "sample", path, "--keywords", "4")).code, 0);
    const { code, stderr } = await genkan("aio", "--db", path, "--state", "/proc/x");
    assert.equal(code, 6, stderr);
    assert.match(
      stderr,
      /^Cannot make the state folder "\/proc\/x": the folder above it takes no other, expected .+\n {2}hint: /,
    );
  });
});
