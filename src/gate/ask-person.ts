/** Asks the person at a trusted client whether one write may be made: the answer is a grant for that call alone. */

import { isObject } from "../protocol/index.ts";
import { AskError, MissingCapabilityError, type Context } from "../server/index.ts";
import type { Approval } from "./approval.ts";
import { lookUp } from "./claim.ts";
import type { Core } from "./core.ts";
import { bindTo } from "./grant.ts";
import type { GrantRequest } from "./grants.ts";
import type { Judgement } from "./rules/rules.ts";
import { writesHaveAGrant } from "./rules/writes-have-a-grant.ts";
import { sanitiseText } from "./sanitise.ts";
import type { WorkRequest } from "./work.ts";

/** Whether a grant is all that is missing, and the caller's client may ask for it. Throws a `StateError`. */
export function mayAskPerson(core: Core, request: WorkRequest): boolean {
  const { facts, context } = request;
  if (core.approval === undefined || facts.risk !== "write") return false;
  if (!core.approval.trusted.has(facts.principal) || !hasForms(context)) return false;
  const approval = toGrantRequest(core.approval, request);
  const looked = lookUp(core, { ...request, approval });
  return looked.kind === "free" && looked.grants.length === 0;
}

/** Asks; nothing has been claimed yet, for in the stateless era the call ends here and comes again with the answer. */
export async function askPerson(
  core: Core,
  request: WorkRequest,
): Promise<{ readonly approval: GrantRequest } | { readonly refusal: Judgement }> {
  if (core.approval === undefined) throw new Error("Nobody is trusted to ask"); // mayAskPerson has seen to it
  const message = core.support.sealText(describeCall(request));
  try {
    const { action, content } = await request.context.elicit(
      { message, requestedSchema },
      { key: "genkan-approval" },
    );
    if (action === "accept" && content?.["decision"] === approveOnce)
      return { approval: toGrantRequest(core.approval, request) };
    return { refusal: action === "cancel" ? undecided(request) : refused(request) };
  } catch (thrown) {
    if (!(thrown instanceof AskError || thrown instanceof MissingCapabilityError)) throw thrown;
    return { refusal: undecided(request) };
  }
}

const approveOnce = "approve once";

const requestedSchema = {
  type: "object",
  properties: {
    decision: {
      type: "string",
      title: "May this call be made?",
      enum: [approveOnce, "refuse"],
    },
  },
  required: ["decision"],
} as const;

/** An empty declaration means forms. */
function hasForms({ clientCapabilities: { elicitation } }: Context): boolean {
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  );
}

function toGrantRequest({ forMs }: Approval, { key, digest, facts }: WorkRequest): GrantRequest {
  const { taskId = "", callId, tool, origin, principal } = facts;
  return {
    task: taskId,
    tools: [tool],
    ...(origin !== undefined && { origins: [origin] }),
    principal,
    forCall: bindTo(key, digest),
    uses: 1,
    forMs,
    reason: `approved at the client, for the call ${callId}`,
    givenBy: `client:${principal}`,
  };
}

/** How much of the arguments is shown: stops a model from hiding one behind the length of another. */
const maxMembers = 20;
const maxValue = 300;

function describeCall({ facts }: WorkRequest): string {
  const { tool, taskId, callId, origin, args } = facts;
  const members = isObject(args) ? Object.entries(args) : [];
  const more = members.length - maxMembers;
  return [
    `A model wants to run "${tool}", which changes something.`,
    `Task: ${taskId}, call: ${callId}`,
    ...(origin === undefined ? [] : [`Where: ${cleanLine(origin)}`]),
    members.length === 0 ? "Arguments: none" : "Arguments:",
    ...members.slice(0, maxMembers).map(([name, value]) => `  ${cleanLine(name)}: ${show(value)}`),
    ...(more > 0 ? [`  and ${more} more that are not shown`] : []),
  ].join("\n");
}

function show(value: unknown): string {
  const text = JSON.stringify(value);
  const size = text.length > maxValue ? ` (${text.length} characters)` : "";
  return `${cleanLine(text)}${size}`;
}

function cleanLine(text: string): string {
  return sanitiseText(text, { lines: false, maxLength: maxValue }).text;
}

function refused({ facts: { tool, taskId } }: WorkRequest): Judgement {
  return {
    rule: writesHaveAGrant.id,
    code: "grant_required",
    message: `The person at the client refused "${tool}" for the task "${taskId}"`,
    hint: "Do not ask again by another call; say what was not done",
  };
}

function undecided({ facts: { tool, taskId } }: WorkRequest): Judgement {
  return {
    rule: writesHaveAGrant.id,
    code: "grant_required",
    message: `No grant allows "${tool}" for the task "${taskId}", and the person at the client did not decide`,
  };
}
