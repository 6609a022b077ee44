/** The tables of an aio-probe database, as `docs/aio-probe.md` describes them: which keywords a run asked for, and what it saw. */

/**
 * What stands as `application_id` in the file that `createSample` makes, "aioS": by it an import knows that nothing of it was seen.
 *
 * @see https://sqlite.org/fileformat2.html#application_id
 */
export const sampleId = 0x61_69_6f_53;

/** What a new database is made of. */
export const createTables = `
CREATE TABLE runs (
  id           INTEGER PRIMARY KEY,
  started_at   TEXT NOT NULL,             -- ISO 8601, UTC
  completed_at TEXT,                      -- NULL while it runs, and when it never ended
  status       TEXT NOT NULL,             -- running, completed, failed, cancelled
  engine       TEXT,
  locale       TEXT,
  device       TEXT,
  location     TEXT,
  note         TEXT
);
CREATE INDEX runs_by_end ON runs (status, completed_at, started_at);

CREATE TABLE keywords (
  id      INTEGER PRIMARY KEY,
  keyword TEXT NOT NULL UNIQUE,
  bucket  TEXT                            -- as it is now; a run keeps what it was
);

CREATE TABLE run_keywords (
  run_id     INTEGER NOT NULL REFERENCES runs (id),
  keyword_id INTEGER NOT NULL REFERENCES keywords (id),
  keyword    TEXT NOT NULL,
  bucket     TEXT,
  PRIMARY KEY (run_id, keyword_id)
) WITHOUT ROWID;
CREATE INDEX run_keywords_by_text ON run_keywords (run_id, keyword);

CREATE TABLE observations (
  id          INTEGER PRIMARY KEY,
  run_id      INTEGER NOT NULL REFERENCES runs (id),
  keyword_id  INTEGER NOT NULL REFERENCES keywords (id),
  status      TEXT NOT NULL,              -- ok, failed
  aio_present INTEGER,                    -- 1, 0; NULL when nobody knows, as after a failure
  fetched_at  TEXT,
  error_text  TEXT,                       -- for the operator; never given out
  raw_path    TEXT                        -- for the operator; never given out
);
CREATE INDEX observations_by_run ON observations (run_id, keyword_id, fetched_at, id, status, aio_present);

CREATE TABLE citations (
  observation_id INTEGER NOT NULL REFERENCES observations (id),
  position       INTEGER NOT NULL,        -- from 1
  url            TEXT,
  domain         TEXT,
  title          TEXT,
  PRIMARY KEY (observation_id, position)
) WITHOUT ROWID;

CREATE TABLE organic_results (
  observation_id INTEGER NOT NULL REFERENCES observations (id),
  position       INTEGER NOT NULL,        -- from 1
  url            TEXT,
  domain         TEXT,
  title          TEXT,
  PRIMARY KEY (observation_id, position)
) WITHOUT ROWID;
`;

/** The buckets a keyword is in by default: what somebody who types it wants. An operator may name four others. */
export const defaultBuckets = [
  "informational",
  "commercial",
  "transactional",
  "navigational",
] as const;
