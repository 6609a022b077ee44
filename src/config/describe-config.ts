/** What may stand in `genkan.yaml`: the description that reads it, that editors get, and that `docs/gate.md` is made from. */

import { defaultAuditLimits, defaultTraceLimits, grantLimits } from "../gate/index.ts";
import { limitsDescription, toolLimitsDescription } from "./describe-limits.ts";
import type { ChoiceDescription, Description, ObjectDescription } from "./description.ts";
import { doorKinds } from "./doors/doors.ts";

const tools = {
  type: "array",
  minItems: 1,
  items: { type: "string" },
  description: "The only tools of it that are served, by name. Default: all it has.",
} as const;

/** What every door has. */
export const doorDescription = {
  tools,
  limits: {
    type: "object",
    additionalProperties: toolLimitsDescription,
    description: "Limits for single tools, by name.",
  },
} as const;

const conduct = {
  type: "object",
  description: "What may not be done through any tool, whoever grants it.",
  additionalProperties: false,
  properties: {
    deniedTools: {
      type: "array",
      items: { type: "string" },
      description: "Tools that are refused.",
    },
    origins: {
      type: "array",
      items: { type: "string" },
      description:
        "The only origins a tool may act on, such as https://shop.example. Default: any.",
    },
    maxima: {
      type: "object",
      additionalProperties: { type: "integer", minimum: 0 },
      description:
        "A tighter bound than the tool's own for a number, or for the length of a text or a list, by tool and argument: send.count: 5.",
    },
    writeHours: {
      type: "object",
      additionalProperties: false,
      description:
        "The hours of the day, by this machine's clock, in which writes are made. Default: any.",
      properties: {
        from: { type: "integer", minimum: 0, maximum: 24, description: "The first hour." },
        to: {
          type: "integer",
          minimum: 0,
          maximum: 24,
          description: "The hour in which it is over.",
        },
      },
      required: ["from", "to"],
    },
  },
} as const;

export const configDescription = {
  type: "object",
  description:
    "A gated MCP server: who may call what, within which limits. `genkan check` explains it, `genkan serve` serves it.",
  additionalProperties: false,
  required: ["name", "doors"],
  properties: {
    name: {
      type: "string",
      minLength: 1,
      description: "The name of the server, for hosts and their users.",
    },
    version: {
      type: "string",
      minLength: 1,
      default: "1.0.0",
      description: "The version of the server.",
    },
    instructions: {
      type: "string",
      description: "For the model: how to use this server as a whole.",
    },
    state: {
      type: "string",
      minLength: 1,
      default: ".genkan",
      description:
        "The folder of the state, from the folder of this file: grants, the ledger, traces, the audit log. none: there is no folder, nothing is recorded, and no door may have a tool that writes (a folder of this name is ./none).",
    },
    readsWithoutState: {
      type: "boolean",
      default: false,
      description: "Whether reads go on while the state cannot be used; writes never do.",
    },
    limits: limitsDescription,
    conduct,
    principal: {
      type: "string",
      minLength: 1,
      default: "local",
      description: "Who calls when nobody has proven to be somebody, as over stdio.",
    },
    principals: {
      type: "object",
      description: "What holds for single principals, over what holds for all.",
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        properties: {
          token: {
            type: "object",
            additionalProperties: false,
            description:
              "The bearer token that proves it over HTTP, from one source: env or file. Several are separated by white space.",
            properties: {
              env: {
                type: "string",
                minLength: 1,
                description: "The environment variable that has it.",
              },
              file: { type: "string", minLength: 1, description: "The file that has it." },
            },
          },
          limits: limitsDescription,
          conduct,
        },
      },
    },
    approval: {
      type: "object",
      additionalProperties: false,
      required: ["trustedClients"],
      description:
        "Whose clients may ask a person whether a write may be made that no grant allows. Default: nobody's.",
      properties: {
        trustedClients: {
          type: "array",
          minItems: 1,
          items: { type: "string" },
          description:
            "The principals whose clients are trusted to show the question to a person and to give that person's answer. One answer allows one call, with the arguments that were shown.",
        },
        forMs: {
          type: "integer",
          minimum: 1,
          maximum: grantLimits.forMs,
          default: 600_000,
          description: "How long the call may still be made, or made again when it did nothing.",
        },
      },
    },
    telemetry: {
      type: "boolean",
      default: false,
      description:
        "Whether each call is told to OpenTelemetry, through @opentelemetry/api, which is then to be installed beside Genkan.",
    },
    secrets: {
      type: "object",
      description:
        "What tools may resolve by secret://name, each from one source: env, file or command.",
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        properties: {
          env: {
            type: "string",
            minLength: 1,
            description: "The environment variable that has the value.",
          },
          file: {
            type: "string",
            minLength: 1,
            description: "The file that has the value, of mode 0600.",
          },
          command: {
            type: "array",
            minItems: 1,
            items: { type: "string" },
            description: "The program that prints the value, and its arguments; no shell.",
          },
          tools: {
            type: "array",
            items: { type: "string" },
            description: "The only tools that may have it. Default: any.",
          },
          origins: {
            type: "array",
            items: { type: "string" },
            description: "The only origins it may be used at. Default: any.",
          },
        },
      },
    },
    audit: {
      type: "object",
      additionalProperties: false,
      description:
        "How much of the audit log stays in the state; what is older goes to files in its folder audit.",
      properties: {
        keptRecords: number(defaultAuditLimits.keptRecords, "How many records stay in the state."),
        keptMs: number(defaultAuditLimits.keptMs, "How long records stay in the state."),
        segmentRecords: number(
          defaultAuditLimits.segmentRecords,
          "How many records are moved out at once.",
          2,
        ),
      },
    },
    traces: {
      type: "object",
      additionalProperties: false,
      description: "How much is kept of what happened in calls.",
      properties: {
        keptTraces: number(defaultTraceLimits.keptTraces, "How many traces are kept."),
        keptMs: number(
          defaultTraceLimits.keptMs,
          "How long a trace is kept: arguments may hold what is personal.",
        ),
        argsBytes: number(
          defaultTraceLimits.argsBytes,
          "The size of the arguments that are kept of a failed call, as JSON.",
        ),
        steps: number(defaultTraceLimits.steps, "How many steps of a call are kept."),
        faultLength: number(
          defaultTraceLimits.faultLength,
          "How much of a fault is kept, in characters.",
        ),
      },
    },
    http: {
      type: "object",
      additionalProperties: false,
      description: "How it is served by `genkan serve --http`; see docs/http.md.",
      properties: {
        path: {
          type: "string",
          pattern: "^/",
          default: "/mcp",
          description: "The path of the endpoint.",
        },
        allowedHosts: {
          type: "array",
          items: { type: "string" },
          description: "The names the server is called by.",
        },
        allowedOrigins: {
          type: "array",
          items: { type: "string" },
          description: "The web pages that may call, by origin.",
        },
      },
    },
    doors: {
      type: "object",
      description: "Where tools come from, each door under a name for the audit log.",
      additionalProperties: describeDoors(),
    },
  },
} as const;

/** Adds to each kind's own keys those that every door has. */
function describeDoors(): ChoiceDescription {
  return {
    oneOf: doorKinds.map(({ kind, shape }): ObjectDescription => {
      const { description = "", properties, required = [] } = shape;
      const own: Record<string, Description> = {
        kind: { type: "string", enum: [kind], description },
        ...properties,
        ...doorDescription,
      };
      return {
        type: "object",
        properties: own,
        required: ["kind", ...required],
        additionalProperties: false,
      };
    }),
  };
}

function number(fallback: number, description: string, minimum = 1) {
  return { type: "integer", minimum, default: fallback, description } as const;
}
