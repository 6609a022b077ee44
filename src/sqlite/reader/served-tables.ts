/** Tables that no file has, because SQLite's own modules serve them. */

/** Those that compute from what they are given. */
export const computingTables: ReadonlySet<string> = new Set(["json_each", "json_tree"]);

/** Those that tell of the file, of this process or of SQLite itself, by their names in lower case. */
export const tellingTables = /^(?:sqlite_|pragma_|dbstat$|fts3tokenize$)/;
