/**
 * Tells OpenTelemetry of each call, in the words of its conventions for MCP: a span and a duration.
 *
 * Nothing is told that a caller chooses or that a tool gives: no arguments, results or messages, no ids of tasks and calls (a
 * model may name a person in them), no principal. The span has the gate's own trace id, by which all of these are found.
 *
 * @see https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/mcp.md
 */

import {
  context,
  createTraceState,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context as SpanParent,
  type Histogram,
  type MeterProvider,
  type SpanContext,
} from "@opentelemetry/api";
import { WireError } from "../protocol/index.ts";
import { ToolResult, type Context } from "../server/index.ts";
import { isEnvelope } from "./envelope.ts";
import type { Risk } from "./feature.ts";

type Later<Value> = Value | Promise<Value>;

export interface Recorder {
  /** Runs a call within its span. */
  observe<Value>(tool: ObservedTool, call: Context, run: () => Later<Value>): Later<Value>;
}

interface ObservedTool {
  readonly tool: string;
  readonly risk: Risk;
}

export const observe: Recorder["observe"] = (observed, call, run) => {
  const attributes = describeTool(observed, call);
  const { parent, links } = findParent(call);
  const startedAt = performance.now();
  const span = trace
    .getTracer("genkan")
    .startSpan(`tools/call ${observed.tool}`, { kind: SpanKind.SERVER, attributes, links }, parent);
  const end = (ending: Ending): void => {
    const { error, ...more } = ending;
    const failed = error === undefined ? {} : { "error.type": error };
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR }); // its message may quote an argument
    span.setAttributes({ ...failed, ...more });
    span.end();
    const seconds = (performance.now() - startedAt) / 1000;
    readHistogram().record(seconds, { ...attributes, ...failed });
  };
  const fail = (thrown: unknown): never => {
    end(describeThrow(thrown));
    throw thrown;
  };
  const succeed = <Value>(value: Value): Value => {
    end(describeValue(value));
    return value;
  };
  let result;
  try {
    result = context.with(trace.setSpan(parent, span), run);
  } catch (thrown) {
    return fail(thrown);
  }
  return result instanceof Promise ? result.then(succeed, fail) : succeed(result);
};

/** The API has no meter that waits for its provider, as it has a tracer; so one is made when the provider changes. */
function readHistogram(): Histogram {
  const by = metrics.getMeterProvider();
  if (made?.by === by) return made.histogram;
  const histogram = by.getMeter("genkan").createHistogram("mcp.server.operation.duration", {
    description: "How long a request took, from its arrival to its result",
    unit: "s",
    advice: { explicitBucketBoundaries: [...bounds] },
  });
  made = { by, histogram };
  return histogram;
}

let made: { readonly by: MeterProvider; readonly histogram: Histogram } | undefined;

/** In seconds, as the conventions have them. */
const bounds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] as const;

function describeTool({ tool, risk }: ObservedTool, { revision }: Context): Attributes {
  return {
    "mcp.method.name": "tools/call",
    "mcp.protocol.version": revision.version,
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    "genkan.risk": risk,
  };
}

/** The caller's span is the parent when it names one; then what is active here, such as an HTTP request, is linked. */
function findParent({ traceContext }: Context): {
  readonly parent: SpanParent;
  readonly links: { context: SpanContext }[];
} {
  const active = context.active();
  if (traceContext === undefined) return { parent: active, links: [] };
  const { traceId, spanId, flags, state } = traceContext;
  const parent = trace.setSpanContext(active, {
    traceId,
    spanId,
    traceFlags: flags,
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  });
  const here = trace.getSpanContext(active);
  return { parent, links: here === undefined ? [] : [{ context: here }] };
}

interface Ending extends Attributes {
  readonly error: string | undefined;
}

function describeValue(value: unknown): Ending {
  const envelope = value instanceof ToolResult ? value.result.structuredContent : undefined;
  if (!isEnvelope(envelope)) return { error: undefined };
  return {
    error: envelope.ok ? undefined : envelope.code,
    "genkan.trace_id": envelope.trace_id,
    "genkan.replayed": envelope.replayed,
  };
}

/** A question to a client of the stateless era ends its call by a throw, and is no error. */
function describeThrow(thrown: unknown): Ending {
  if (thrown instanceof WireError) return { error: String(thrown.code) };
  const name = thrown instanceof Error ? thrown.name : "_OTHER";
  return { error: name === "InputRequired" ? undefined : name };
}
