/** Secrets as a part of the gate: tools get them, and nothing that leaves a call has them. It must be the last to seal. */

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
    }),
  };
}

/** Looks where words are free; the gate's own member names and codes stay, whatever a secret is. */
export function redactEnvelope(envelope: Envelope, redactor: Redactor): Envelope {
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
