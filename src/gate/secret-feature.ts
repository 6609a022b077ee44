/** Secrets as a part of the gate: tools get them, and nothing that leaves a call has them. It must be the last to seal. */

import { UsageError } from "../protocol/index.ts";
import type { Envelope } from "./envelope.ts";
import type { Feature } from "./feature.ts";
import type { Redactor } from "./redactor.ts";
import type { Secrets } from "./secrets.ts";

export function createSecretFeature(secrets: Secrets): Feature {
  const { redactor } = secrets;
  return {
    name: "secrets",
    open: () => ({
      resolveSecret: (reference, facts, signal) => secrets.resolve(reference, facts, signal),
      seal: (envelope) => redactEnvelope(envelope, redactor),
      sealText: (text) => redactor.redactText(text),
      sealBytes: (bytes, mimeType) => redactBytes(bytes, mimeType, redactor),
      checkTool: (name, published) => {
        if (!redactor.hasSecret(published)) return;
        const what = `Cannot add the tool "${name}": what it publishes holds a secret`;
        throw new UsageError(
          "published-secret",
          `${what}, expected a reference such as "secret://name"`,
        );
      },
    }),
  };
}

/** Looks where words are free; the gate's own member names and codes stay, whatever a secret is. */
function redactEnvelope(envelope: Envelope, redactor: Redactor): Envelope {
  const { message, hint, data, warnings, step, task_id, call_id } = envelope;
  const redact = (text: string | null): string | null =>
    text === null ? null : redactor.redactText(text);
  return {
    ...envelope,
    message: redactor.redactText(message),
    hint: redactor.redactText(hint),
    data: redactor.redactValue(data),
    warnings: warnings.map((warning) => redactor.redactText(warning)),
    ...(step !== undefined && { step: { ...step, name: redactor.redactText(step.name) } }),
    task_id: redact(task_id),
    call_id: redact(call_id),
  };
}

/** Bytes of other kinds stay as they are: a picture is not searched. */
const textType = /^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded|yaml|x-ndjson)$/;

function redactBytes(bytes: Uint8Array, mimeType: string, redactor: Redactor): Uint8Array {
  if (!textType.test(mimeType)) return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const redacted = redactor.redactText(text);
  return redacted === text ? bytes : Buffer.from(redacted); // also what is no UTF-8 stays as it is
}
