/** Makes SELECTs over a random database: of every form and with most functions that a statement of an operator's may hold. */

import { collations, dateTexts, jsonTexts, quote, randomLiteral } from "./random-database.ts";
import type { RandomTable } from "./random-database.ts";
import { randomExpression } from "./random-expression.ts";
import type { Random } from "./seeded-random.ts";

/** One SELECT. Its rows come in one order only, wherever SQLite says which. */
export function randomSelect(tables: readonly RandomTable[], random: Random): string {
  return random.pick(forms)(new Scope(tables, random));
}

class Scope {
  readonly random: Random;
  readonly first: RandomTable;
  readonly second: RandomTable;

  constructor(tables: readonly RandomTable[], random: Random) {
    this.random = random;
    this.first = random.pick(tables);
    this.second = random.pick(tables.filter(({ name }) => name !== this.first.name));
  }

  /** An expression over the first table. */
  one(depth = 2): string {
    return randomExpression(this.first.columns, this.random, depth);
  }

  column(): string {
    return this.random.pick(this.first.columns);
  }

  collation(): string {
    return this.random.pick(collations);
  }
}

type Form = (scope: Scope) => string;

const forms: readonly Form[] = [
  (s) => `SELECT ${s.one()}, ${s.one()}, ${s.one()} FROM ${s.first.name} ORDER BY id`,
  (s) => `SELECT id, ${s.one()} AS x FROM ${s.first.name} WHERE ${s.one(3)} ORDER BY x, id`,
  (s) => `SELECT * FROM ${s.first.name} WHERE ${s.column()} IS NOT ${s.one()} ORDER BY id DESC`,
  (s) =>
    `SELECT id, ${s.column()} FROM ${s.first.name} ORDER BY ${s.column()} COLLATE ${s.collation()} ${s.random.pick(["ASC", "DESC NULLS LAST", "ASC NULLS LAST"])}, id LIMIT ${s.random.whole(30)} OFFSET ${s.random.whole(5)}`,
  (s) =>
    `SELECT DISTINCT typeof(${s.column()}) AS kind, ${s.one(1)} AS x FROM ${s.first.name} ORDER BY kind, x`,
  join,
  join,
  (s) => `SELECT count(*) FROM ${s.first.name} NATURAL JOIN ${s.second.name}`,
  (s) =>
    `SELECT a.id, (SELECT ${aggregate(s)} FROM ${s.first.name} WHERE id >= a.id) FROM ${s.second.name} a ORDER BY a.id`,
  (s) =>
    `SELECT id FROM ${s.first.name} WHERE EXISTS (SELECT 1 FROM ${s.second.name} b WHERE b.ref = ${s.first.name}.id) OR ${s.column()} IN (SELECT ${s.random.pick(s.second.columns)} FROM ${s.second.name}) ORDER BY id`,
  (s) =>
    `SELECT id FROM ${s.first.name} WHERE (id, ref) IN (SELECT ref, id FROM ${s.second.name}) OR (id, ${s.column()}) > (${s.random.whole(20)}, ${s.one(1)}) ORDER BY id`,
  (s) => `SELECT ${aggregate(s)}, ${aggregate(s)}, ${aggregate(s)} FROM ${s.first.name}`,
  (s) =>
    `SELECT ${s.one(1)} AS k, count(*) AS n, ${aggregate(s)} FROM ${s.first.name} GROUP BY 1 HAVING n > ${s.random.whole(3)} ORDER BY k COLLATE ${s.collation()}, n, min(id)`,
  (s) =>
    `SELECT ref % 4 AS k, ${aggregate(s)} FILTER (WHERE ${s.one()}) FROM ${s.first.name} GROUP BY k ORDER BY k`,
  (s) => `SELECT id, ${window(s)}, ${window(s)} FROM ${s.first.name} ORDER BY id`,
  (s) =>
    `SELECT id, ${aggregate(s)} OVER w FROM ${s.first.name} WINDOW w AS (PARTITION BY ref % 3 ORDER BY id) ORDER BY id`,
  (s) =>
    `WITH x(k, v) AS ${s.random.pick(["", "MATERIALIZED ", "NOT MATERIALIZED "])}(SELECT id, ${s.one()} FROM ${s.first.name}) SELECT l.k, r.v FROM x l JOIN x r ON l.k = r.k + 1 ORDER BY l.k`,
  (s) =>
    `SELECT ${s.column()} AS x FROM ${s.first.name} ${s.random.pick(["UNION", "UNION ALL", "INTERSECT", "EXCEPT"])} SELECT ${s.random.pick(s.second.columns)} FROM ${s.second.name} ORDER BY x COLLATE ${s.collation()}, x`,
  (s) =>
    `SELECT column1, column2, typeof(column1) FROM (VALUES (${randomLiteral(s.random)}, 1), (${randomLiteral(s.random)}, 2), (${randomLiteral(s.random)}, 3)) ORDER BY column2`,
  (s) =>
    `SELECT id, ${s.column()} ${s.random.pick(["LIKE", "NOT LIKE"])} ${pattern(s, ["%", "_"])} ESCAPE '\\', ${s.column()} GLOB ${pattern(s, ["*", "?", "[a-c]", "[^x]"])} FROM ${s.first.name} ORDER BY id`,
  json,
  json,
  date,
  date,
];

function join(s: Scope): string {
  const kind = s.random.pick(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]);
  const { first, second } = s;
  const on = s.random.pick([
    `${first.name}.ref = ${second.name}.id`,
    `${first.name}.ref = ${second.name}.ref`,
    `${s.column()} = ${s.random.pick(second.columns)}`,
    `${s.column()} IS ${s.random.pick(second.columns)} COLLATE ${s.collation()}`,
  ]);
  const columns = [...s.random.some(first.columns), ...s.random.some(second.columns)];
  return `SELECT ${first.name}.id, ${second.name}.id, ${columns.join(", ")} FROM ${first.name} ${kind} ${second.name} ON ${on} ORDER BY 1, 2`;
}

function aggregate(s: Scope): string {
  const x = s.one(1);
  return s.random.pick([
    "count(*)",
    `count(${x})`,
    `sum(${x})`,
    `total(${x})`,
    `avg(${x})`,
    `min(${x})`,
    `max(${x})`,
    `group_concat(${x})`,
    `string_agg(${x}, '; ')`,
  ]);
}

function window(s: Scope): string {
  const x = s.one(1);
  const what = s.random.pick([
    "row_number()",
    "rank()",
    "dense_rank()",
    "percent_rank()",
    "cume_dist()",
    "ntile(3)",
    `lag(${x})`,
    `lead(${x}, 2, 'none')`,
    `first_value(${x})`,
    `last_value(${x})`,
    `nth_value(${x}, 2)`,
    `sum(${x})`,
    `count(${x})`,
    `max(${x})`,
  ]);
  const partition = s.random.pick([
    "",
    "PARTITION BY ref % 3 ",
    `PARTITION BY typeof(${s.column()}) `,
  ]);
  const frame = s.random.pick([
    "",
    " ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING",
    " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW",
    " GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES",
    " RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
  ]);
  return `${what} OVER (${partition}ORDER BY ${s.random.pick(["id", "ref, id"])}${frame})`;
}

function pattern(s: Scope, wildcards: readonly string[]): string {
  const parts = ["a", "A", "b", "e", "é", "0", "\\%", ...wildcards, ...wildcards];
  return quote([1, 2, 3].map(() => s.random.pick(parts)).join(""));
}

function json(s: Scope): string {
  const text = s.random.oneIn(3) ? s.column() : quote(s.random.pick(jsonTexts));
  const path = s.random.pick(["$", "$.a", "$.a[2].b", "$[1]", "$.a[#-1]", "$.c", "$.none"]);
  const x = s.one(1);
  const value = s.random.pick([
    `json(${text})`,
    `json_extract(${text}, '${path}')`,
    `${text} -> '${path}'`,
    `${text} ->> '${path}'`,
    `json_type(${text}, '${path}')`,
    `json_valid(${text})`,
    `json_array(${x}, ${s.one(1)})`,
    `json_object('k', ${x}, 'id', id)`,
    `json_quote(${x})`,
    `json_set(${text}, '$.z', ${x})`,
    `json_patch(${text}, '{"c":null}')`,
    `json_array_length(${text})`,
  ]);
  return s.random.pick([
    `SELECT id, ${value} FROM ${s.first.name} WHERE json_valid(${text}) ORDER BY id`,
    `SELECT json_group_array(${x}), json_group_object('k' || id, ${s.column()}) FROM ${s.first.name}`,
    `SELECT ${value} FROM ${s.first.name} ORDER BY id LIMIT 5`,
  ]);
}

function date(s: Scope): string {
  const when = s.random.oneIn(4) ? s.column() : quote(s.random.pick(dateTexts));
  const modifier = s.random.pick([
    "+1 month",
    "-1 year",
    "+36 hours",
    "start of month",
    "start of year",
    "weekday 0",
    "-0.5 days",
    "+1 month', 'floor",
    "+0001-02-03 04:05:06",
  ]);
  const value = s.random.pick([
    `date(${when}, '${modifier}')`,
    `datetime(${when}, '${modifier}')`,
    `time(${when}, 'subsec')`,
    `julianday(${when})`,
    `unixepoch(${when}, '${modifier}')`,
    `strftime('%Y-%m-%d %H:%M:%f %j %w %W %s %J %u %G %V', ${when})`,
    `timediff(${when}, '2000-01-31 12:00:00')`,
  ]);
  return `SELECT ${value}, ${value} IS NULL FROM ${s.first.name} WHERE id <= 6 ORDER BY id`;
}
