/** Says what is wrong with a declared tool that can be known without the database. */

import { describeValue, expectOneOf } from "../../protocol/index.ts";
import { hostNames } from "../../gate/index.ts";
import type { SqliteLimits } from "../limits.ts";
import {
  mostRows,
  type DeclarationFault,
  type ExampleDeclaration,
  type QueryDeclaration,
} from "./declaration.ts";
import { findParameterFaults } from "./find-parameter-faults.ts";
import { findValueFault } from "./find-value-fault.ts";
import { isRequired } from "./tool-schemas.ts";

/** @param used the parameters of the statement */
export function findQueryFaults(
  query: QueryDeclaration,
  used: readonly string[],
  { inputCharacters }: SqliteLimits,
): readonly DeclarationFault[] {
  const { name, description, parameters = [], maxRows, examples = [] } = query;
  const faults: DeclarationFault[] = [];
  if (!hostNames.test(name))
    faults.push({
      path: ["name"],
      what: `it is ${describeValue(name)}, which hosts refuse, expected 1 to 64 of A-Z a-z 0-9 _ -`,
    });
  if (description.trim() === "")
    faults.push({
      path: ["description"],
      what: "it is empty, expected what the tool does and when to use it",
    });
  if (maxRows !== undefined && (maxRows < 1 || maxRows > mostRows))
    faults.push({ path: ["maxRows"], what: `it is ${maxRows}, expected 1 to ${mostRows}` });
  for (const { path, what } of findParameterFaults(parameters, used, inputCharacters))
    faults.push({ path: ["parameters", ...path], what });
  for (const [index, example] of examples.entries())
    for (const { path, what } of findExampleFaults(example, query))
      faults.push({ path: ["examples", index, ...path], what });
  return faults;
}

/** One that expects `invalid_arguments` has arguments that do not fit, and that alone. */
function findExampleFaults(
  { arguments: given = {}, expect = {} }: ExampleDeclaration,
  { parameters = [] }: QueryDeclaration,
): readonly DeclarationFault[] {
  const { code = "ok", ...results } = expect;
  const stray = Object.keys(results)[0];
  if (code !== "ok" && stray !== undefined)
    return [
      {
        path: ["expect", stray],
        what: `there is no result with the code ${code}, expected the code alone`,
      },
    ];
  const names = parameters.map(({ name }) => name);
  const faults = [
    ...parameters
      .filter((parameter) => isRequired(parameter) && !Object.hasOwn(given, parameter.name))
      .map(({ name }) => ({ path: [], what: `it has no argument "${name}", expected one` })),
    ...Object.entries(given).flatMap(([name, value]): readonly DeclarationFault[] => {
      const path = ["arguments", name];
      const parameter = parameters.find((each) => each.name === name);
      if (parameter === undefined)
        return [{ path, what: `there is no parameter "${name}", ${expectOneOf(name, names)}` }];
      const fault = findValueFault(value, parameter);
      return fault === undefined ? [] : [{ path, what: fault }];
    }),
  ];
  if (code !== "invalid_arguments") return faults;
  return faults.length > 0
    ? []
    : [{ path: ["expect", "code"], what: "the arguments fit, expected some that do not" }];
}
