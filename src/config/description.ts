/** How a configuration is described: a small part of JSON Schema, which editors read too, and the TypeScript type of what fits. */

export type Description =
  | TextDescription
  | NumberDescription
  | RealDescription
  | ScalarDescription
  | FlagDescription
  | ListDescription
  | MapDescription
  | ObjectDescription
  | AnyObjectDescription
  | ChoiceDescription;

interface Described {
  /** For people: in editors, in the reference of `docs/gate.md`. */
  readonly description?: string;
  readonly default?: unknown;
}

interface TextDescription extends Described {
  readonly type: "string";
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
}

interface NumberDescription extends Described {
  readonly type: "integer";
  readonly minimum: number;
  readonly maximum?: number;
}

/** Any number that is finite. */
interface RealDescription extends Described {
  readonly type: "number";
}

/** A text, a number, or true or false: somebody else knows which. */
interface ScalarDescription extends Described {
  readonly type: readonly ["string", "number", "boolean"];
}

interface FlagDescription extends Described {
  readonly type: "boolean";
}

interface ListDescription extends Described {
  readonly type: "array";
  readonly items: Description;
  readonly minItems?: number;
}

/** Keys that the operator chooses, all with values of one kind. */
export interface MapDescription extends Described {
  readonly type: "object";
  readonly additionalProperties: Description;
}

/** These keys and no others. */
export interface ObjectDescription extends Described {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Description>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** Whatever it holds, somebody else checks it. */
interface AnyObjectDescription extends Described {
  readonly type: "object";
  readonly additionalProperties: true;
}

/** Objects that are told apart by their `kind`. */
export interface ChoiceDescription extends Described {
  readonly oneOf: readonly ObjectDescription[];
}

/** The type of what fits a description. */
export type Settings<Shape> = Shape extends { readonly oneOf: readonly (infer Option)[] }
  ? Settings<Option>
  : Shape extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Shape extends { readonly type: "string" }
      ? string
      : Shape extends { readonly type: "integer" | "number" }
        ? number
        : Shape extends { readonly type: readonly string[] }
          ? string | number | boolean
          : Shape extends { readonly type: "boolean" }
            ? boolean
            : Shape extends { readonly type: "array"; readonly items: infer Items }
              ? readonly Settings<Items>[]
              : Shape extends { readonly properties: infer Properties }
                ? ObjectSettings<Shape, Properties>
                : Shape extends { readonly additionalProperties: infer Value extends Description }
                  ? Readonly<Record<string, Settings<Value>>>
                  : Readonly<Record<string, unknown>>;

/** Keys that only the running program knows have values of any type. */
type ObjectSettings<Shape, Properties> = string extends keyof Properties
  ? Readonly<Record<string, unknown>>
  : Simplify<
      {
        readonly [Name in Required<Shape, Properties>]: Settings<Properties[Name]>;
      } & {
        readonly [Name in Exclude<keyof Properties, Required<Shape, Properties>>]?: Settings<
          Properties[Name]
        >;
      }
    >;

type Required<Shape, Properties> = Extract<
  keyof Properties,
  Shape extends { readonly required: readonly (infer Name)[] } ? Name : never
>;

type Simplify<Type> = { [Name in keyof Type]: Type[Name] };
