/** Every limit of a receipt: its name, its default, and the harm it stops. */

export interface ReceiptLimits {
  /** Entries of the database's folder: stops a census from taking minutes, and a receipt from being one of millions of lines. */
  readonly folderEntries: number;
  /** Entries of a folder elsewhere, such as the one for temporary files; a fuller one is left out, and said to be. */
  readonly elsewhereEntries: number;
  /** The database, and each file named after it and a hyphen: stops the hashing from taking an hour. */
  readonly fileBytes: number;
  /** What else begins with the database's name, in all: stops a row of old backups from being hashed at each run. */
  readonly namesakeBytes: number;
  /** How long one look may take: stops a file system that no longer answers from holding us for ever. */
  readonly lookMs: number;
  /** Words of the command that are written down, each of so many characters at most: stops a script as an argument from filling the receipt. */
  readonly words: number;
  readonly wordCharacters: number;
  /** Names that came and went, paths elsewhere, programs and traced files, each: stops a command that makes thousands from filling it. */
  readonly listed: number;
  /** A receipt that is read: stops a wrong file from filling the memory. */
  readonly receiptBytes: number;
  /** What strace has written: stops a trace of hours from filling the memory. */
  readonly traceBytes: number;
  /** How long is waited for processes that the command leaves behind, before they are named: stops a daemon from holding us for ever. */
  readonly leftoverMs: number;
}

export const receiptLimits: ReceiptLimits = {
  folderEntries: 10_000,
  elsewhereEntries: 20_000,
  fileBytes: 16 * 1024 ** 3,
  namesakeBytes: 1024 ** 3,
  lookMs: 600_000,
  words: 200,
  wordCharacters: 1_000,
  listed: 100,
  receiptBytes: 64 * 1024 ** 2,
  traceBytes: 64 * 1024 ** 2,
  leftoverMs: 2_000,
};
