// An import as an operator makes it: real files in both formats, real databases, and what stands in them afterwards.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import {
  dataForSeoAnswer,
  dataForSeoOverview,
  dataForSeoPlaceholder,
  dataForSeoTask,
  serpApiLateOverview,
  serpApiOverview,
  serpApiPage,
} from "../../../fixtures/result-pages.ts";
import { createTables } from "../tables.ts";
import { createSample } from "../sample/create-sample.ts";
import { importPages, type ImportOptions, type ImportSummary } from "./import-pages.ts";
import { importLimits } from "./page.ts";

const now = Date.UTC(2026, 4, 5);

/** A folder with a database to be, and files in it. */
function openDesk(files: Readonly<Record<string, unknown>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "genkan-import-"));
  const path = join(folder, "aio.db");
  const put = (name: string, value: unknown): string => {
    const file = join(folder, name);
    const bytes =
      typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
    writeFileSync(file, bytes);
    return file;
  };
  const names = Object.entries(files).map(([name, value]) => put(name, value));
  return {
    folder,
    path,
    names,
    put,
    take: (given: readonly string[] = names, more: Partial<ImportOptions> = {}): ImportSummary =>
      importPages(path, { files: given, now, ...more }),
    ask: (sql: string): readonly Record<string, unknown>[] => {
      using database = new DatabaseSync(path, { readOnly: true });
      return database
        .prepare(sql)
        .all()
        .map((row) => Object.fromEntries(Object.entries(row)));
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

const counts = ({
  observations,
  failed,
  withOverview,
  withoutOverview,
  unknown,
}: ImportSummary) => [observations, failed, withOverview, withoutOverview, unknown];

describe("importPages()", () => {
  test("reads SerpApi's pages: with an overview, and without one", () => {
    using desk = openDesk({
      "a.json": serpApiPage({ overview: serpApiOverview }),
      "b.json": serpApiPage({ q: "鉄瓶", metadata: { processed_at: "2026-03-02 06:01:00 UTC" } }),
    });
    const summary = desk.take();
    assert.deepEqual(counts(summary), [2, 0, 1, 1, 0]);
    assert.deepEqual([summary.run, summary.isNewRun, summary.isNewDatabase], [1, true, true]);
    assert.deepEqual(desk.ask("SELECT * FROM runs"), [
      {
        id: 1,
        started_at: "2026-03-02T06:00:02Z",
        completed_at: "2026-03-02T06:01:00Z",
        status: "completed",
        engine: "google",
        locale: "en-US",
        device: "desktop",
        location: null,
        note: null,
      },
    ]);
    assert.deepEqual(desk.ask("SELECT keyword, bucket FROM run_keywords ORDER BY keyword_id"), [
      { keyword: "green tea", bucket: null },
      { keyword: "鉄瓶", bucket: null },
    ]);
    assert.deepEqual(
      desk.ask("SELECT status, aio_present, fetched_at, error_text, raw_path FROM observations"),
      [
        {
          status: "ok",
          aio_present: 1,
          fetched_at: "2026-03-02T06:00:02Z",
          error_text: null,
          raw_path: desk.names[0],
        },
        {
          status: "ok",
          aio_present: 0,
          fetched_at: "2026-03-02T06:01:00Z",
          error_text: null,
          raw_path: desk.names[1],
        },
      ],
    );
    assert.deepEqual(desk.ask("SELECT position, url, domain, title FROM citations"), [
      {
        position: 1,
        url: "https://tea.example/health",
        domain: "tea.example",
        title: "Health",
      },
      {
        position: 2,
        url: "https://doctor.example/tea",
        domain: "doctor.example",
        title: "Tea and you",
      },
    ]);
    assert.deepEqual(
      desk.ask("SELECT position, url, domain, title FROM organic_results WHERE observation_id = 1"),
      [
        {
          position: 1,
          url: "https://tea.example/green?utm_source=serp",
          domain: "tea.example",
          title: "Green tea",
        },
        {
          position: 2,
          url: "https://www.shop.example/tea#buy",
          domain: "www.shop.example",
          title: "Buy tea",
        },
        { position: 3, url: null, domain: null, title: null },
      ],
    );
  });

  test("reads DataForSEO's answers, each task a page", () => {
    using desk = openDesk({
      "a.json": dataForSeoAnswer(
        dataForSeoTask({ items: [dataForSeoOverview] }),
        dataForSeoTask({ keyword: "kettle" }),
      ),
    });
    assert.deepEqual(counts(desk.take()), [2, 0, 1, 1, 0]);
    assert.deepEqual(desk.ask("SELECT engine, locale, device, location, started_at FROM runs"), [
      {
        engine: "google",
        locale: "en",
        device: "desktop",
        location: "location_code 2840",
        started_at: "2026-03-02T06:00:02Z",
      },
    ]);
    assert.deepEqual(desk.ask("SELECT position, url, title FROM citations"), [
      { position: 1, url: "https://doctor.example/tea", title: "Tea and you" },
      { position: 2, url: "https://tea.example/leaf", title: "Leaf" },
      { position: 3, url: "https://tea.example/root", title: "Root" },
    ]);
    assert.deepEqual(
      desk.ask("SELECT position, domain FROM organic_results WHERE observation_id = 2"),
      [
        { position: 1, domain: "www.site-1.example" },
        { position: 2, domain: "www.site-2.example" },
      ],
    );
  });

  /** What can be said of a page, by the whole of what an import says of it. */
  const pages: readonly (readonly [
    what: string,
    page: unknown,
    observation: { readonly status: string; readonly aio_present: number | null } | undefined,
    said: RegExp,
  ])[] = [
    [
      "an error of SerpApi is a failure, also that there are no results",
      serpApiPage({
        more: {
          error: "Google hasn't returned any results for this query.",
          organic_results: undefined,
        },
      }),
      { status: "failed", aio_present: null },
      /^Google hasn't returned any results/,
    ],
    [
      "a search of SerpApi that ended badly is a failure",
      serpApiPage({ metadata: { status: "Error" }, overview: serpApiOverview }),
      { status: "failed", aio_present: null },
      /^The search ended as "Error"$/,
    ],
    [
      "an overview of SerpApi that was only announced is not known",
      serpApiPage({ overview: { page_token: "t", serpapi_link: "https://serpapi.example/t" } }),
      { status: "ok", aio_present: null },
      /announced by a page_token and not fetched$/,
    ],
    [
      "an overview of SerpApi that could not be made is not known",
      serpApiPage({ overview: { error: "Can't generate an AI overview right now." } }),
      { status: "ok", aio_present: null },
      /could not be made: Can't generate/,
    ],
    [
      "a page of SerpApi that is not whole says nothing of an overview",
      serpApiPage({ more: { organic_results: undefined, search_information: undefined } }),
      { status: "ok", aio_present: null },
      /the page is not whole/,
    ],
    [
      "an error of DataForSEO is a failure",
      dataForSeoAnswer(
        dataForSeoTask({
          task: { status_code: 40_101, status_message: "Internal SE Server Error.", result: null },
        }),
      ),
      { status: "failed", aio_present: null },
      /^40101 Internal SE Server Error\.$/,
    ],
    [
      "no results of DataForSEO are a failure",
      dataForSeoAnswer(
        dataForSeoTask({
          task: { status_code: 40_102, status_message: "No Search Results.", result: null },
        }),
      ),
      { status: "failed", aio_present: null },
      /^40102 No Search Results\.$/,
    ],
    [
      "a task of DataForSEO that is done and measured nothing is a failure",
      dataForSeoAnswer(dataForSeoTask({ result: { items: null } })),
      { status: "failed", aio_present: null },
      /^The task is done and has no items$/,
    ],
    [
      "an overview of DataForSEO that was not loaded is not known",
      dataForSeoAnswer(dataForSeoTask({ items: [dataForSeoPlaceholder] })),
      { status: "ok", aio_present: null },
      /announced and not loaded \(load_async_ai_overview\)$/,
    ],
    [
      "an overview of DataForSEO that is only named is not known",
      dataForSeoAnswer(dataForSeoTask({ result: { item_types: ["organic", "ai_overview"] } })),
      { status: "ok", aio_present: null },
      /named in item_types and not among the items$/,
    ],
    [
      "a search that goes on is no page",
      serpApiPage({ metadata: { status: "Processing" } }),
      undefined,
      /^its search is "Processing" still/,
    ],
    [
      "another engine is no page",
      serpApiPage({ parameters: { engine: "bing" } }),
      undefined,
      /engine "bing", expected google$/,
    ],
    [
      "the news are no page",
      serpApiPage({ parameters: { tbm: "nws" } }),
      undefined,
      /"nws", expected one without tbm$/,
    ],
    [
      "a second page is no page",
      serpApiPage({ parameters: { start: 10 } }),
      undefined,
      /not the first page of results/,
    ],
    [
      "a search for nothing is no page",
      serpApiPage({ q: " " }),
      undefined,
      /expected search_parameters\.q$/,
    ],
    [
      "an overview alone is no page",
      serpApiLateOverview("t"),
      undefined,
      /an AI Overview by itself/,
    ],
    [
      "an overview of nothing is no page",
      serpApiLateOverview(""),
      undefined,
      /expected search_parameters\.page_token$/,
    ],
    [
      "an error alone is no page",
      { error: "Invalid API key." },
      undefined,
      /an error that does not say what was searched for/,
    ],
    [
      "a task in the queue is no page",
      dataForSeoAnswer(
        dataForSeoTask({
          task: { status_code: 40_602, status_message: "Task In Queue.", result: null },
        }),
      ),
      undefined,
      /^a task is not done: 40602 Task In Queue\., expected its result$/,
    ],
    [
      "regular results are no page: they never have an overview",
      dataForSeoAnswer(
        dataForSeoTask({ task: { path: ["v3", "serp", "google", "organic", "live", "regular"] } }),
      ),
      undefined,
      /organic\/live\/regular", expected serp\/google\/organic\/…\/advanced$/,
    ],
    [
      "AI Mode is no page",
      dataForSeoAnswer(dataForSeoTask({ task: { path: undefined }, data: { se_type: "ai_mode" } })),
      undefined,
      /"serp\/google\/ai_mode", expected/,
    ],
    [
      "an answer without tasks is no page",
      { status_code: 40_100, status_message: "You are not Authorized.", tasks: null },
      undefined,
      /^the answer has no task: 40100 You are not Authorized\.,/,
    ],
    [
      "what is no JSON is no page",
      "secret: 1",
      undefined,
      /^it is no JSON, expected a page of results$/,
    ],
    [
      "what is no UTF-8 is no page",
      new Uint8Array([0x22, 0xff, 0x22]),
      undefined,
      /^it is no UTF-8/,
    ],
    [
      "other JSON is no page",
      { a: 1 },
      undefined,
      /no page of SerpApi \(search_metadata\) or DataForSEO \(tasks\)/,
    ],
    ["a number is no page", 5, undefined, /^it holds the number 5/],
    ["an empty list is no page", [], undefined, /^it is an empty list/],
    [
      "a keyword too long is no page",
      serpApiPage({ q: "k".repeat(importLimits.keyword + 1) }),
      undefined,
      /513 characters, expected at most 512$/,
    ],
    [
      "too many results are no page",
      serpApiPage({
        more: { organic_results: Array.from({ length: importLimits.links + 1 }, () => ({})) },
      }),
      undefined,
      /501 results of one kind, expected at most 500$/,
    ],
  ];
  for (const [what, page, observation, said] of pages) {
    test(what, () => {
      using desk = openDesk({ "a.json": page });
      const { faulty, remarks } = desk.take();
      if (observation === undefined) {
        assert.match(faulty[0]?.what ?? "", said);
        assert.equal(existsSync(desk.path), false);
        return;
      }
      assert.deepEqual(faulty, []);
      const [row] = desk.ask("SELECT status, aio_present, error_text FROM observations");
      assert.deepEqual(row, { ...observation, error_text: row?.["error_text"] });
      const text = row?.["error_text"] ?? remarks[0]?.what;
      assert.ok(typeof text === "string");
      assert.match(text, said);
      assert.deepEqual(desk.ask("SELECT * FROM citations"), []);
    });
  }

  test("an overview that was fetched by itself makes its page whole", () => {
    using desk = openDesk({
      "late.json": serpApiLateOverview("t"),
      "page.json": serpApiPage({ overview: { page_token: "t" } }),
      "failed.json": serpApiPage({ q: "kettle", overview: { page_token: "u" } }),
      "late-failed.json": { ...serpApiLateOverview("u", {}), error: "The token has expired." },
    });
    const summary = desk.take();
    assert.deepEqual(counts(summary), [2, 0, 1, 0, 1]);
    assert.match(
      summary.remarks[0]?.what ?? "",
      /"kettle" is not known: the AI Overview was not fetched: The token has expired\.$/,
    );
    assert.deepEqual(desk.ask("SELECT count(*) AS n FROM citations"), [{ n: 2 }]);
  });

  test("a faulty file is told by name, and the others are taken", () => {
    using desk = openDesk({ "bad.json": "{", "good.json": serpApiPage() });
    const missing = join(desk.folder, "none.json");
    mkdirSync(join(desk.folder, "folder.json"));
    const { faulty, observations } = desk.take([
      missing,
      join(desk.folder, "folder.json"),
      ...desk.names,
    ]);
    assert.deepEqual(faulty, [
      { name: missing, what: "there is no such file, expected a page of results" },
      {
        name: join(desk.folder, "folder.json"),
        what: "it is a directory, expected a file",
        hint: join(desk.folder, "folder.json", "*.json"),
      },
      { name: desk.names[0], what: "it is no JSON, expected a page of results" },
    ]);
    assert.equal(observations, 1);
  });

  test("a pattern that matched no file is told as one", () => {
    using desk = openDesk();
    const [fault] = desk.take([join(desk.folder, "*.json")]).faulty;
    assert.equal(fault?.hint, "the pattern matched no file");
  });

  test("a file with one faulty page among good ones is not taken at all", () => {
    using desk = openDesk({
      "a.json": [serpApiPage(), { a: 1 }],
      "b.json": [serpApiPage({ q: "b" }), serpApiPage({ q: "c" })],
    });
    const { faulty, observations } = desk.take();
    assert.deepEqual([faulty.map(({ name }) => name), observations], [[desk.names[0]], 2]);
  });

  test("a pipe is not waited for", { skip: process.platform === "win32" }, () => {
    using desk = openDesk();
    const pipe = join(desk.folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    assert.deepEqual(desk.take([pipe]).faulty, [
      { name: pipe, what: "it is no plain file, expected a file" },
    ]);
  });

  test("a file that has grown too large is not read", () => {
    using desk = openDesk({ "a.json": new Uint8Array(importLimits.fileBytes + 1) });
    assert.match(
      desk.take().faulty[0]?.what ?? "",
      /^it has 33554433 bytes, expected at most 33554432$/,
    );
  });

  test("the same file twice is taken once, in one import and in two", () => {
    using desk = openDesk({ "a.json": serpApiPage(), "b.json": serpApiPage() });
    const first = desk.take();
    assert.deepEqual(first.skipped, [
      { name: desk.names[1], what: `it is the same as "${desk.names[0]}"` },
    ]);
    const bytes = readFileSync(desk.path);
    const second = desk.take();
    assert.deepEqual(
      second.skipped.map(({ what }) => what),
      Array.from({ length: 2 }, () => "it is in run 1 already, and a page is in one run only"),
    );
    assert.deepEqual([second.run, second.observations], [undefined, 0]);
    assert.throws(() => desk.take(undefined, { run: 2 }), { code: "bad-run" });
    assert.deepEqual(readFileSync(desk.path), bytes);
  });

  test("of several pages of a keyword one counts: the one that came, then the later", () => {
    const error = { error: "later, and worse", organic_results: undefined };
    using desk = openDesk({
      "early.json": serpApiPage(),
      "late.json": serpApiPage({ metadata: { processed_at: "2026-03-02 07:00:00 UTC" } }),
      "failed.json": serpApiPage({
        metadata: { processed_at: "2026-03-02 08:00:00 UTC" },
        more: error,
      }),
    });
    const { remarks } = desk.take();
    assert.deepEqual(desk.ask("SELECT raw_path FROM observations"), [{ raw_path: desk.names[1] }]);
    assert.deepEqual(
      remarks.map(({ name }) => name),
      [desk.names[0], desk.names[2]],
    );
  });

  test("pages made under different conditions are no run, and nothing is written", () => {
    using desk = openDesk({
      "a.json": serpApiPage(),
      "b.json": serpApiPage({ q: "b", parameters: { device: "mobile" } }),
    });
    assert.throws(() => desk.take(), {
      code: "mixed-pages",
      message: `Cannot make one run of these files: the device is "desktop" in "${desk.names[0]}" and "mobile" in "${desk.names[1]}", expected the same in all`,
    });
    assert.deepEqual(readdirSync(desk.folder), ["a.json", "b.json"]);
  });

  test("a second import is a second run, with the buckets of its time", () => {
    using desk = openDesk();
    const map = desk.put(
      "buckets.csv",
      'keyword,bucket\r\n"green tea, hot",transactional\r\nkettle,\r\n',
    );
    const first = [
      desk.put("1.json", serpApiPage({ q: "green tea, hot" })),
      desk.put("2.json", serpApiPage({ q: "kettle" })),
      desk.put("3.json", serpApiPage({ q: "lamp" })),
    ];
    desk.take(first, { bucket: "informational" });
    const second = [
      desk.put("4.json", serpApiPage({ q: "green tea, hot", metadata: { id: "4" } })),
      desk.put("5.json", serpApiPage({ q: "kettle", metadata: { id: "5" } })),
      desk.put("6.json", serpApiPage({ q: "lamp", metadata: { id: "6" } })),
    ];
    assert.equal(desk.take(second, { buckets: map, note: "spring" }).run, 2);
    const snapshot =
      "SELECT group_concat(coalesce(bucket, '-'), ' ') AS buckets FROM run_keywords GROUP BY run_id";
    assert.deepEqual(desk.ask(snapshot), [
      { buckets: "informational informational informational" },
      { buckets: "transactional - informational" },
    ]);
    assert.deepEqual(desk.ask("SELECT bucket FROM keywords"), [
      { bucket: "transactional" },
      { bucket: null },
      { bucket: "informational" },
    ]);
    assert.deepEqual(desk.ask("SELECT note FROM runs"), [{ note: null }, { note: "spring" }]);
  });

  test("a run is extended by what was missing, and a page that came takes the place of one that failed", () => {
    using desk = openDesk({
      "1.json": serpApiPage(),
      "2.json": serpApiPage({ q: "kettle", more: { error: "no", organic_results: undefined } }),
    });
    desk.take();
    const more = [
      desk.put(
        "3.json",
        serpApiPage({ q: "lamp", metadata: { processed_at: "2026-03-02 09:00:00 UTC" } }),
      ),
      desk.put("4.json", serpApiPage({ q: "kettle", overview: serpApiOverview })),
      desk.put("5.json", serpApiPage({ overview: serpApiOverview })),
    ];
    const summary = desk.take(more, { run: 1 });
    assert.deepEqual([summary.run, summary.isNewRun, summary.observations], [1, false, 2]);
    assert.deepEqual(summary.remarks, [
      { name: more[2], what: 'its page for "green tea" is not used: run 1 has one' },
    ]);
    assert.deepEqual(
      desk.ask(
        "SELECT keyword, status, aio_present FROM observations JOIN keywords ON keywords.id = keyword_id ORDER BY keyword",
      ),
      [
        { keyword: "green tea", status: "ok", aio_present: 0 },
        { keyword: "kettle", status: "ok", aio_present: 1 },
        { keyword: "lamp", status: "ok", aio_present: 0 },
      ],
    );
    assert.deepEqual(desk.ask("SELECT completed_at FROM runs"), [
      { completed_at: "2026-03-02T09:00:00Z" },
    ]);
    const other = desk.put("6.json", serpApiPage({ q: "x", parameters: { device: "mobile" } }));
    assert.throws(() => desk.take([other], { run: 1 }), {
      message: /its device is "desktop", expected "mobile" as in the files$/,
    });
    assert.throws(() => desk.take([other], { run: 7 }), {
      message: /^Cannot extend run 7: there is no such run/,
    });
  });

  describe("a run that another program made is extended", () => {
    const old = `INSERT INTO runs VALUES (1, '2026-03-01T00:00:00Z', '2026-03-01T01:00:00Z', 'completed', 'google', 'en-US', 'desktop', NULL, NULL);
      INSERT INTO keywords VALUES (1, 'green tea', 'informational'), (2, 'kettle', NULL);
      INSERT INTO observations VALUES (1, 1, 1, 'ok', 1, '2026-03-01T00:30:00Z', NULL, NULL)`;
    const extend = (sql: string, page: object) => {
      const desk = openDesk({ "1.json": page });
      {
        using database = new DatabaseSync(desk.path);
        database.exec(`${createTables}; ${old}; ${sql}`);
      }
      return { ...desk, summary: desk.take(desk.names, { run: 1 }) };
    };
    const lamp = serpApiPage({ q: "lamp" }); // of 2026-03-02T06:00:02Z

    test("and still has the keywords of today where it had no others", () => {
      using desk = extend("", lamp);
      assert.equal(desk.summary.observations, 1);
      assert.deepEqual(desk.ask("SELECT * FROM run_keywords"), []);
      assert.deepEqual(desk.ask("SELECT keyword FROM keywords ORDER BY id"), [
        { keyword: "green tea" },
        { keyword: "kettle" },
        { keyword: "lamp" },
      ]);
    });

    for (const [what, sql, times] of [
      ["ends later", "", ["2026-03-01T00:00:00Z", "2026-03-02T06:00:02Z"]],
      [
        "keeps an end that is later still",
        "UPDATE runs SET completed_at = '2026-12-31T00:00:00Z'",
        ["2026-03-01T00:00:00Z", "2026-12-31T00:00:00Z"],
      ],
      [
        "takes no word for a time",
        "UPDATE observations SET fetched_at = 'None'; UPDATE runs SET completed_at = '', started_at = 'null'",
        ["2026-03-02T06:00:02Z", "2026-03-02T06:00:02Z"],
      ],
    ] as const)
      test(`and ${what}`, () => {
        using desk = extend(sql, lamp);
        const [run] = desk.ask("SELECT started_at, completed_at FROM runs");
        assert.deepEqual(Object.values(run ?? {}), times);
      });

    test("and of several observations of a keyword the last says whether it has been seen", () => {
      for (const [first, last, taken] of [
        ["failed", "ok", 0],
        ["ok", "failed", 1],
        ["failed", "failed", 1],
      ] as const) {
        using desk = extend(
          `UPDATE observations SET status = '${first}';
          INSERT INTO observations VALUES (2, 1, 1, '${last}', 0, '2026-03-01T00:40:00Z', NULL, NULL)`,
          serpApiPage(),
        );
        assert.equal(desk.summary.observations, taken, `${first}, ${last}`);
        assert.deepEqual(desk.ask("SELECT status FROM observations WHERE id = 1"), [
          { status: first },
        ]);
      }
    });
  });

  test("pages without a time are of now", () => {
    using desk = openDesk({
      "a.json": dataForSeoAnswer(dataForSeoTask({ task: { status_code: 40_101, result: null } })),
    });
    desk.take();
    assert.deepEqual(
      desk.ask("SELECT started_at, completed_at, fetched_at FROM runs, observations"),
      [
        {
          started_at: "2026-05-05T00:00:00Z",
          completed_at: "2026-05-05T00:00:00Z",
          fetched_at: null,
        },
      ],
    );
  });

  test("a sample is not written to", () => {
    using desk = openDesk({ "a.json": serpApiPage() });
    createSample(desk.path, { runs: 1, keywords: 1 });
    const before = readFileSync(desk.path);
    assert.throws(() => desk.take(), {
      code: "cannot-write",
      message: /it is a sample of "genkan aio sample", expected a database of your own$/,
      hint: "a new path makes a new database",
    });
    assert.deepEqual(readFileSync(desk.path), before);
  });

  test("what is no database of aio-probe is not written to", () => {
    using desk = openDesk({ "a.json": serpApiPage(), "aio.db": "no database ".repeat(100) });
    const before = readFileSync(desk.path);
    assert.throws(() => desk.take([join(desk.folder, "a.json")]), {
      code: "cannot-write",
      message: /it is no SQLite database/,
    });
    assert.deepEqual(readFileSync(desk.path), before);
    rmSync(desk.path);
    {
      using other = new DatabaseSync(desk.path);
      other.exec("CREATE TABLE runs (id INTEGER PRIMARY KEY, note TEXT)");
    }
    assert.throws(() => desk.take([join(desk.folder, "a.json")]), {
      message:
        /it has no column runs\.started_at, .+table keywords, .+expected a database of aio-probe$/,
    });
  });

  test("another writer is waited for no longer than it takes, and nothing is written", () => {
    using desk = openDesk({ "a.json": serpApiPage() });
    desk.take();
    const next = desk.put("b.json", serpApiPage({ q: "b" }));
    using other = new DatabaseSync(desk.path);
    other.exec("BEGIN IMMEDIATE");
    assert.throws(() => desk.take([next], { lockWaitMs: 1 }), {
      code: "cannot-write",
      message: /another process writes into it all the time/,
    });
    other.exec("ROLLBACK");
    assert.equal(desk.take([next]).run, 2);
  });

  test("a journal that was left beside a path is not played into a new database", () => {
    using desk = openDesk({ "a.json": serpApiPage(), "aio.db-journal": "old" });
    assert.throws(() => desk.take([join(desk.folder, "a.json")]), {
      code: "file-exists",
      message: /aio\.db-journal" is there already/,
    });
    assert.equal(existsSync(desk.path), false);
  });
});

describe("a file of buckets", () => {
  for (const [what, name, text, said] of [
    [
      "a line of one column",
      "b.csv",
      "green tea\n",
      /b\.csv:1": it has 1 columns, expected keyword and bucket$/,
    ],
    ["a line of three", "b.csv", "a,b\nc,d,e\n", /b\.csv:2": it has 3 columns/],
    [
      "a keyword in two buckets",
      "b.csv",
      "a,b\r\n\r\na,c\r\n",
      /b\.csv:3": its keyword is in another bucket further up/,
    ],
    [
      "quotes that do not close",
      "b.csv",
      'a,b\n"c,d\n',
      /b\.csv:2": a cell does not end, expected quotes that close, and at most 4096 characters$/,
    ],
    [
      "a bucket too long",
      "b.tsv",
      `a\t${"b".repeat(101)}`,
      /its bucket has 101 characters, expected at most 100$/,
    ],
    ["what is no UTF-8", "b.csv", new Uint8Array([0xff]), /it is no UTF-8/],
  ] as const) {
    test(`${what} is refused with its line`, () => {
      using desk = openDesk({ "a.json": serpApiPage(), [name]: text });
      assert.throws(() => desk.take(undefined, { buckets: join(desk.folder, name) }), {
        code: "bad-buckets",
        message: said,
      });
      assert.equal(existsSync(desk.path), false);
    });
  }

  test("columns may stand in any order and among others, by tabs and after a byte order mark", () => {
    using desk = openDesk({ "a.json": serpApiPage() });
    const map = desk.put("map.tsv", '\uFEFFbucket\tvolume\tkeyword\n"tea""pots"\t10\tgreen tea');
    desk.take(undefined, { buckets: map });
    assert.deepEqual(desk.ask("SELECT bucket FROM run_keywords"), [{ bucket: 'tea"pots' }]);
  });

  test("its keywords that are on no page are told, those first that a page has written otherwise", () => {
    using desk = openDesk({ "a.json": serpApiPage(), "b.json": serpApiPage({ q: "best kettle" }) });
    const buckets = desk.put(
      "buckets.csv",
      "lamp,commercial\ngreen tea,informational\nBest  Kettle,commercial\n",
    );
    assert.deepEqual(desk.take(undefined, { buckets }).remarks, [
      {
        name: buckets,
        what: '2 of 3 keywords of buckets.csv are on no page: "Best  Kettle" (did you mean "best kettle"?), "lamp"',
      },
    ]);
    const many = desk.put(
      "many.csv",
      Array.from({ length: 9 }, (_, at) => `word ${at},`).join("\n"),
    );
    const next = desk.put("c.json", serpApiPage({ q: "c" }));
    assert.deepEqual(
      desk.take([...desk.names, next], { buckets: many }).remarks.map(({ what }) => what),
      [
        '9 of 9 keywords of many.csv are on no new page: "word 0", "word 1", "word 2", "word 3", "word 4", and 4 more',
      ],
    );
  });

  test("a bucket that is nearly one by default stops before anything is written, unless it is meant", () => {
    using desk = openDesk({ "a.json": serpApiPage() });
    const buckets = desk.put("buckets.csv", "green tea,transactionl\n");
    for (const options of [{ buckets }, { bucket: "Informational" }])
      assert.throws(() => desk.take(undefined, options), {
        code: "near-bucket",
        message: /^Cannot take the bucket "\w+": .+, did you mean "(?:transac|informa)tional"\?$/,
      });
    assert.equal(existsSync(desk.path), false);
    desk.take(undefined, { buckets, ownBuckets: true });
    assert.deepEqual(desk.ask("SELECT bucket FROM keywords"), [{ bucket: "transactionl" }]);
  });
});
