/** Bytes that a tool gives: kept as files in the state folder for a stated time, and read as resources. */

import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError, type ResourceContents, type ResourceLink } from "../protocol/index.ts";
import { makeFolder } from "../transport/index.ts";
import { ToolFailure } from "./failure.ts";
import type { GateLimits } from "./limits.ts";
import { toStateError } from "./state-error.ts";

export interface ArtifactOptions {
  /** For people: `page.png`. */
  readonly name: string;
  readonly mimeType: string;
  readonly title?: string;
}

/** What goes into a result in place of the bytes. */
export interface Artifact {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
}

export const artifactTemplate = "artifact://genkan/{id}";

type ArtifactLimits = Pick<GateLimits, "artifactBytes" | "artifactsBytes" | "artifactTtlMs">;

/** Keeps artifacts in a folder. An id is 128 random bits: whoever was given the link may read it, and nobody can guess one. */
export class ArtifactShelf {
  readonly #folder: string;
  readonly #limits: ArtifactLimits;
  readonly #now: () => number;

  constructor(stateFolder: string, limits: ArtifactLimits, now: () => number) {
    this.#folder = join(stateFolder, "artifacts");
    this.#limits = limits;
    this.#now = now;
  }

  /** Throws a `ToolFailure` for bytes over a limit, and a `StateError` when they cannot be written. */
  keep(bytes: Uint8Array, { name, mimeType, title }: ArtifactOptions): Artifact & ResourceLink {
    if (!mediaType.test(mimeType))
      throw new UsageError(
        "invalid-artifact",
        `Cannot keep the artifact "${name}": its type is "${mimeType}", expected one like image/png`,
      );
    const { artifactBytes, artifactsBytes } = this.#limits;
    const size = bytes.byteLength;
    if (size > artifactBytes) throw tooLarge(name, size, artifactBytes, "artifactBytes");
    const others = this.#sweep();
    if (others + size > artifactsBytes)
      throw tooLarge(name, others + size, artifactsBytes, "artifactsBytes");
    const id = randomBytes(16).toString("hex");
    const file = `${id}.${encodeURIComponent(mimeType)}`;
    try {
      writeFileSync(join(this.#folder, file), bytes, { mode: 0o600, flag: "wx" });
    } catch (thrown) {
      throw toStateError(thrown, "keep an artifact in", this.#folder) ?? thrown;
    }
    const uri = artifactTemplate.replace("{id}", id);
    return {
      type: "resource_link",
      uri,
      name,
      mimeType,
      size,
      ...(title !== undefined && { title }),
    };
  }

  /** Gives the bytes of an id, or `undefined` when they are not, or no longer, kept. */
  read(id: string): ResourceContents | undefined {
    if (!artifactId.test(id)) return undefined;
    const found = this.#list().find((file) => file.startsWith(id));
    if (found === undefined || this.#ageOf(found) > this.#limits.artifactTtlMs) return undefined;
    const mimeType = decodeURIComponent(found.slice(id.length + 1));
    const blob = readFileSync(join(this.#folder, found)).toString("base64");
    return { uri: artifactTemplate.replace("{id}", id), mimeType, blob };
  }

  /** Removes what is too old, and gives the size of the rest. */
  #sweep(): number {
    let size = 0;
    for (const file of this.#list()) {
      const path = join(this.#folder, file);
      if (this.#ageOf(file) > this.#limits.artifactTtlMs) rmSync(path, { force: true });
      else size += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    }
    return size;
  }

  #ageOf(file: string): number {
    const written = statSync(join(this.#folder, file), { throwIfNoEntry: false })?.mtimeMs;
    return written === undefined ? Infinity : this.#now() - written;
  }

  #list(): readonly string[] {
    try {
      makeFolder(this.#folder);
      return readdirSync(this.#folder).filter((file) => artifactId.test(file.slice(0, 32)));
    } catch (thrown) {
      throw toStateError(thrown, "read the artifacts in", this.#folder) ?? thrown;
    }
  }
}

const artifactId = /^[0-9a-f]{32}$/;
const mediaType = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/;

function tooLarge(name: string, size: number, limit: number, limitName: string): ToolFailure {
  const what = `Cannot keep "${name}": it would take ${size} bytes, expected at most ${limit} (${limitName})`;
  return new ToolFailure("tool_failed", what, { hint: "Ask for a smaller one" });
}
