/** What a receipt promises, and what it cannot: in words that stand in it. */

export interface PromiseFacts {
  /** Whether everything in the folders was listened to. */
  readonly isWatched: boolean;
  readonly isTraced: boolean;
  readonly hasExceptions: boolean;
  /** Whether a command was run, and not a server of this process's own. */
  readonly isCommand: boolean;
}

/** The promises hold where nothing has changed; what is in the limits cannot be promised. */
export function tellPromises({ isWatched, isTraced, hasExceptions, isCommand }: PromiseFacts): {
  readonly promises: readonly string[];
  readonly limits: readonly string[];
} {
  return {
    promises: [
      "Each database, and each file beside it whose name begins with its name, had the same bytes before and after, by SHA-256.",
      "Their size, mode, owner, number of names, inode and times of change (mtime, ctime) were the same. No program can set ctime, so bytes that were changed and changed back would show, and a time that was set back.",
      "In the folders of the databases nothing was made, removed, renamed, replaced or changed that was still so at the end.",
      isWatched
        ? "Nor did anything come and go there: the kernel told of every change in these folders, and their own times are the same."
        : "Nor did anything come and go there, as far as the folders' own times of change tell.",
      "A process looked that opens no SQLite, takes no lock and writes nothing.",
    ],
    limits: [
      isTraced
        ? "Who changed a file, beyond what the trace has of the command itself: the owner's own writer changes it as well."
        : "Who changed a file: the owner's own writer changes it as well, and a receipt cannot tell one from the other.",
      "What lies in folders below and in other folders: nothing there is looked at, but what is told of elsewhere, which anybody may have made.",
      "A change that was changed back where ctime is not kept or has whole seconds only (FAT, some network shares), where the clock was set, or by root with a debugger of the file system or the disk.",
      "The time of last access: reading a file may move it.",
      isCommand
        ? "What comes after the last look from what the run left to others: a daemon, a process that shed its environment, another machine."
        : "What was before the doors were opened and comes after they were closed, and a database that a changed configuration named only later.",
      ...(hasExceptions ? ["What was excepted: it may have changed in any way."] : []),
      "That nobody made this document anew on purpose, with a new digest: a copy that is kept elsewhere does.",
    ],
  };
}
