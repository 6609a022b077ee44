/** What a receipt promises, and what it cannot: in words that stand in it. */

export interface PromiseFacts {
  /** Whether everything in the folders was listened to. */
  readonly isWatched: boolean;
  readonly isTraced: boolean;
  readonly hasExceptions: boolean;
  /** Whether a command was run, and not a server of this process's own. */
  readonly isCommand: boolean;
}

/** The promises hold where nothing has changed, the limits always. */
export function tellPromises({ isWatched, isTraced, hasExceptions, isCommand }: PromiseFacts): {
  readonly promises: readonly string[];
  readonly limits: readonly string[];
} {
  return {
    promises: [
      "Each database, and each file whose name begins with a database's, had the same bytes before and after: its SHA-256 is the same.",
      "Their size, mode, owner, number of names, inode, and times of change (mtime, ctime) were the same. No program can set ctime, so that bytes which were changed and changed back, or a time set back, would show.",
      "In the folders of the databases no file was made, removed, renamed, replaced or changed that was still so at the end.",
      isWatched
        ? "Nor did a file come and go there: the kernel told of every change in these folders, and their own times are the same."
        : "Nor did a file come and go there, as far as the folders' own times of change tell.",
      "The looks were taken by a process that opens no SQLite, takes no lock and writes nothing.",
    ],
    limits: [
      isTraced
        ? "Who has changed a file is known only as far as the trace has it: another writer, such as the owner's, changes it as well."
        : "Who has changed a file is not known: a writer of the owner's that was at work changes it as well, and a receipt cannot tell one from the other.",
      "What lies below a folder that stands in the folder of a database, and what lies in any other folder, is not looked at, but for what is listed under elsewhere, which anybody may have made.",
      "A file system that keeps no ctime or only whole seconds (FAT, some network shares), a clock that is set, and root with a debugger of the file system or of the disk can hide a change that was changed back.",
      "The time of the last access may have moved: to read a file is no change.",
      ...(isCommand
        ? [
            "What the run began and left to others, a process that has shed its environment, a daemon, another machine, may happen after the last look.",
          ]
        : ["What was before the doors were opened and after they were closed is not seen."]),
      ...(hasExceptions ? ["What is listed under except may have changed in any way."] : []),
      "The digest finds changes to this document. Whoever changes it on purpose can make a new digest: keep a copy of it elsewhere.",
    ],
  };
}
