// What OpenTelemetry is told of a call, heard by a provider that is written here against the API alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  context,
  metrics,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type ContextManager,
  type MeterProvider,
  type Span,
  type SpanOptions,
  type Tracer,
} from "@opentelemetry/api";
import { openDesk, textTool, type DeskOptions } from "../../fixtures/gate.ts";
import { openPeer, versions } from "../../fixtures/wire-script.ts";
import { UsageError } from "../protocol/index.ts";
import { ToolFailure } from "./index.ts";
import { openTelemetry } from "./telemetry.ts";

interface HeardSpan {
  readonly name: string;
  readonly options: SpanOptions;
  readonly parent: ReturnType<typeof trace.getSpanContext>;
  readonly attributes: Attributes;
  status: SpanStatusCode | undefined;
  ends: number;
}

interface Ear extends Disposable {
  readonly spans: HeardSpan[];
  readonly durations: { readonly seconds: number; readonly attributes: Attributes }[];
  readonly instruments: object[];
}

/** Registers a tracer, a meter and a way of keeping what is active, and takes them back. */
function listen(): Ear {
  const spans: HeardSpan[] = [];
  const durations: Ear["durations"] = [];
  const instruments: object[] = [];
  const startSpan = (name: string, options: SpanOptions = {}, within: Context = ROOT_CONTEXT) => {
    const heard: HeardSpan = {
      name,
      options,
      parent: trace.getSpanContext(within),
      attributes: { ...options.attributes },
      status: undefined,
      ends: 0,
    };
    spans.push(heard);
    const traceId = heard.parent?.traceId ?? "1".repeat(32);
    const spanId = String(spans.length).padStart(16, "0");
    return {
      spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
      setAttributes: (more: Attributes) => void Object.assign(heard.attributes, more),
      setStatus: ({ code }: { readonly code: SpanStatusCode }) => void (heard.status = code),
      end: () => void heard.ends++,
    } as unknown as Span;
  };
  const tracer = { startSpan } as unknown as Tracer;
  const createHistogram = (name: string, { unit, advice }: { unit: string; advice: object }) => {
    instruments.push({ name, unit, advice });
    return {
      record: (seconds: number, attributes: Attributes) => durations.push({ seconds, attributes }),
    };
  };
  let active: Context = ROOT_CONTEXT;
  const manager = {
    active: () => active,
    with: (within: Context, run: () => unknown) => {
      const before = active;
      active = within;
      try {
        return run();
      } finally {
        active = before;
      }
    },
    disable: () => manager,
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  metrics.setGlobalMeterProvider({
    getMeter: () => ({ createHistogram }),
  } as unknown as MeterProvider);
  context.setGlobalContextManager(manager as unknown as ContextManager);
  return {
    spans,
    durations,
    instruments,
    [Symbol.dispose]: () => {
      trace.disable();
      metrics.disable();
      context.disable();
    },
  };
}

const openTold = (run: (text: string) => unknown = (text) => text, options: DeskOptions = {}) =>
  openDesk([textTool("get", "read", run), textTool("send", "write", run)], {
    telemetry: true,
    ...options,
  });
const ids = { task_id: "jane.doe", call_id: "c1" };

test("each call is a span and a duration, in the words of the conventions, in every revision", async () => {
  for (const version of versions) {
    using ear = listen();
    await using desk = await openTold();
    const peer = await openPeer(desk.server, version);
    const { result } = await peer.request("tools/call", {
      name: "get",
      arguments: { text: "hush", ...ids },
    });
    assert.notEqual(result.isError, true);
    const [span, ...others] = ear.spans;
    assert.deepEqual(
      [span?.name, span?.options.kind, span?.status, span?.ends, span?.parent, others],
      ["tools/call get", SpanKind.SERVER, undefined, 1, undefined, []],
    );
    const common = {
      "mcp.method.name": "tools/call",
      "mcp.protocol.version": version,
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "get",
      "genkan.risk": "read",
    };
    const { "genkan.trace_id": traceId, ...attributes } = span?.attributes ?? {};
    assert.match(String(traceId), /^[0-9a-f]{32}$/);
    assert.deepEqual(attributes, { ...common, "genkan.replayed": false });
    assert.deepEqual(
      ear.durations.map((each) => each.attributes),
      [common],
    );
    assert.ok((ear.durations[0]?.seconds ?? -1) >= 0);
    assert.deepEqual(ear.instruments, [
      {
        name: "mcp.server.operation.duration",
        unit: "s",
        advice: {
          explicitBucketBoundaries: [
            0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
          ],
        },
      },
    ]);
  }
});

test("a call that fails or is refused has its code as error.type, and no text", async () => {
  using ear = listen();
  await using desk = await openTold((text) => {
    if (text === "no") throw new ToolFailure("not_found", "No hush");
    throw new Error("hush");
  });
  for (const [name, args, code] of [
    ["get", { text: "no" }, "not_found"],
    ["get", { text: "x" }, "internal_error"],
    ["get", { text: 5 }, "invalid_arguments"],
    ["send", {}, "ids_required"],
    ["send", ids, "grant_required"],
  ] as const) {
    assert.equal(
      (await desk.peer.request("tools/call", { name, arguments: args })).result.structuredContent
        .code,
      code,
    );
    const span = ear.spans.at(-1);
    assert.deepEqual(
      [span?.attributes["error.type"], span?.status, span?.ends],
      [code, SpanStatusCode.ERROR, 1],
    );
    assert.equal(ear.durations.at(-1)?.attributes["error.type"], code);
  }
  assert.doesNotMatch(JSON.stringify(ear), /hush|jane|"local"|"c1"/);
});

test("a repetition is a span of its own, marked as one", async () => {
  using ear = listen();
  await using desk = await openTold();
  desk.grant("jane.doe", ["send"]);
  for (let n = 0; n < 2; n++)
    await desk.peer.request("tools/call", { name: "send", arguments: ids });
  assert.deepEqual(
    ear.spans.map(({ attributes }) => attributes["genkan.replayed"]),
    [false, true],
  );
});

test("the span of the caller is the parent, and what is active here is linked", async () => {
  using ear = listen();
  const seen: unknown[] = [];
  await using desk = await openTold((text) => {
    seen.push(trace.getActiveSpan()?.spanContext().traceId);
    return text;
  });
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const call = {
    name: "get",
    _meta: { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: "a=1" },
  };
  const local = { traceId: "2".repeat(32), spanId: "3".repeat(16), traceFlags: 1 };
  await context.with(trace.setSpanContext(ROOT_CONTEXT, local), async () => {
    await desk.peer.request("tools/call", call);
  });
  await desk.peer.request("tools/call", { ...call, _meta: { traceparent: "00-odd" } });
  const [span, plain] = ear.spans;
  const { traceState, ...parent } = span?.parent ?? {};
  assert.deepEqual(parent, { traceId, spanId: "b7ad6b7169203331", traceFlags: 1, isRemote: true });
  assert.equal((traceState as { serialize(): string }).serialize(), "a=1");
  assert.deepEqual(span?.options.links, [{ context: local }]);
  assert.deepEqual([plain?.parent, plain?.options.links], [undefined, []]);
  assert.deepEqual(seen, [traceId, "1".repeat(32)]);
});

test("a question to a stateless client is no error, and its answer is a span of its own", async () => {
  using ear = listen();
  await using desk = await openTold(undefined, { approval: { trustedClients: ["local"] } });
  const peer = await openPeer(desk.server, "2026-07-28", { elicitation: {} });
  const call = { name: "send", arguments: ids };
  const { requestState } = (await peer.request("tools/call", call)).result;
  const answer = { action: "accept", content: { decision: "approve once" } };
  const inputResponses = { "genkan-approval": answer };
  const { result } = await peer.request("tools/call", { ...call, requestState, inputResponses });
  assert.equal(result.structuredContent.code, "ok");
  assert.deepEqual(
    ear.spans.map(({ attributes, status, ends }) => [attributes["error.type"], status, ends]),
    [
      [undefined, undefined, 1],
      [undefined, undefined, 1],
    ],
  );
});

test("a gate that is not told to tell says nothing, and one without a listener works", async () => {
  {
    using ear = listen();
    await using desk = await openTold(undefined, { telemetry: false });
    await desk.call("get", { text: "a" });
    assert.deepEqual([ear.spans, ear.durations], [[], []]);
  }
  await using desk = await openTold();
  const { result } = await desk.peer.request("tools/call", { name: "get", arguments: {} });
  assert.equal(result.structuredContent.ok, true);
});

test("a package that is not installed is told before the first call, and any other fault as it is", async () => {
  const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  const other = new Error("other");
  await assert.rejects(openTelemetry(() => Promise.reject(other)).load(), other);
  await assert.rejects(
    openTelemetry(() => Promise.reject(missing)).load(),
    (thrown) =>
      thrown instanceof UsageError &&
      thrown.message ===
        'Cannot tell OpenTelemetry of calls: "@opentelemetry/api" is not installed, expected it beside Genkan' &&
      thrown.hint === "npm install @opentelemetry/api",
  );
});
