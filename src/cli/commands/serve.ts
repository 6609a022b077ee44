/** `genkan serve`: serves what a configuration describes, over stdio or HTTP. */

import { once } from "node:events";
import { resolve } from "node:path";
import process from "node:process";
import type { Configuration, PrincipalTokens } from "../../config/index.ts";
import { toPrintableLines, UsageError } from "../../protocol/index.ts";
import { serveHttp, serveUntilEnd, type ServeHttpOptions } from "../../server/index.ts";
import { isLoopback, openStdio } from "../../transport/index.ts";
import type { CommandDefinition, Run } from "../command.ts";
import { exitCodes, type Exit } from "../exit-codes.ts";
import { defaultFile } from "../gate/state-flags.ts";
import { reportStateErrors } from "../gate/with-state.ts";
import { hostOption } from "../hosts/host-option.ts";
import { watchInterruption } from "../interruption.ts";
import { reportReceiptErrors } from "../receipt/report-receipt-errors.ts";
import { tellPerson } from "../server/tell-person.ts";
import { startCrewFor } from "../start-crew.ts";
import { withReceipt, type ReceiptWish } from "../receipt/with-receipt.ts";

interface ServeFlags {
  readonly http?: Place;
  readonly receipt?: string;
  readonly printConfig?: string;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

export const serve: CommandDefinition = {
  name: "serve",
  summary: "Serves what a configuration describes, over stdio or HTTP.",
  takesServer: false,
  exits: ["ok", "changed", "usage", "state", "output"],
  define(command, run) {
    command
      .argument("[file]", "the configuration", defaultFile)
      .option(
        "--http <host:port>",
        "serve over HTTP at this address; port 0 is any that is free",
        readPlace,
      )
      .option(
        "--receipt <file>",
        "write a receipt of its SQLite files: begun before the doors open, finished after they are closed; see docs/receipt.md",
      )
      .option(...hostOption)
      .addHelpText(
        "after",
        "\nExamples:\n  genkan serve\n  genkan serve shop.yaml --print-config claude-code\n  genkan serve shop.yaml --http 127.0.0.1:8080",
      )
      .action(async (file: string, flags: ServeFlags) => {
        const { http, receipt, printConfig } = flags;
        const start = (): Promise<Exit> =>
          http === undefined ? serveStdio(file, receipt) : serveAt(run, file, http, receipt);
        run.end(
          printConfig === undefined
            ? await reportReceiptErrors(run, () => reportStateErrors(run, start))
            : await printEntry(run, file, printConfig, flags),
        );
      });
  },
};

/** From here on stdout belongs to the protocol, also while the operator's modules are loaded. */
async function serveStdio(file: string, receipt: string | undefined): Promise<Exit> {
  await using stdio = openStdio();
  await using crew = receipt === undefined ? await startCrewFor(file) : undefined;
  const { openConfigured, readConfiguration } = await import("../../config/index.ts");
  const configuration = readConfiguration(file, "serve");
  const report = (text: string): void => stdio.report(text);
  const wish = await toWish(configuration, receipt, report);
  const [drainMs, exit] = await withReceipt(wish, async () => {
    const { server } = await openConfigured(configuration, {
      environment: process.env,
      report,
      watch: true,
      fixedDatabases: receipt !== undefined,
      crew,
    });
    tellPerson(report, configuration.settings.name, { call: "tools", server: ["serve", file] });
    await serveUntilEnd(server, stdio);
    return server.catalogue.limits.drainMs;
  });
  return await stdio.exit(drainMs, exitCodes[exit].code);
}

/** Prints the entry by which a host starts the same over stdio. */
async function printEntry(
  { screen }: Run,
  file: string,
  host: string,
  { http, receipt }: ServeFlags,
): Promise<Exit> {
  if (http !== undefined)
    throw new UsageError(
      "odd-option",
      "Cannot print an entry with --http: a host starts a server over stdio, expected one of the two",
      { hint: `genkan serve ${file} --print-config ${host}` },
    );
  const { readConfiguration } = await import("../../config/index.ts");
  const { name, secrets = {} } = readConfiguration(file, "serve").settings;
  const variables = Object.values(secrets).flatMap(({ env }) => (env === undefined ? [] : [env]));
  const path = resolve(file);
  const { printConfig } = await import("../hosts/print-config.ts");
  return printConfig(screen, {
    host,
    server: name,
    words: ["serve", path, ...(receipt === undefined ? [] : ["--receipt", resolve(receipt)])],
    file: path,
    remarks:
      variables.length === 0
        ? []
        : [
            `It reads secrets from its environment, which the host has to give it: ${variables.join(", ")}.`,
          ],
  });
}

/** The state of the gate may lie beside a database, and changes. */
async function toWish(
  configuration: Configuration,
  file: string | undefined,
  report: (text: string) => void,
): Promise<ReceiptWish> {
  const { listDatabases } = await import("../../config/index.ts");
  const databases = listDatabases(configuration);
  const { stateDir } = configuration;
  return { file, databases, except: stateDir === undefined ? [] : [stateDir], report };
}

async function serveAt(
  { screen }: Run,
  file: string,
  place: Place,
  receipt: string | undefined,
): Promise<Exit> {
  await using crew = receipt === undefined ? await startCrewFor(file) : undefined;
  const { openConfigured, readConfiguration, readTokens } = await import("../../config/index.ts");
  using interruption = watchInterruption();
  const configuration = readConfiguration(file, "serve");
  const { env: environment } = process;
  const tokens = readTokens(configuration, environment);
  const options = toHttpOptions(configuration, place, tokens);
  const report = (text: string): void => screen.note(toPrintableLines(text));
  const [, exit] = await withReceipt(await toWish(configuration, receipt, report), async () => {
    const { server } = await openConfigured(configuration, {
      environment,
      report,
      watch: true,
      fixedDatabases: receipt !== undefined,
      crew,
      principal: (context) =>
        tokens?.nameOf(context.principal) ?? configuration.settings.principal ?? "local",
    });
    await using closing = new AsyncDisposableStack();
    closing.use(server);
    const { url } = closing.use(await serveHttp(server, options));
    screen.note(`Serving ${configuration.settings.name} at ${url}`);
    const { signal } = interruption;
    if (!signal.aborted) await once(signal, "abort");
  });
  return exit;
}

function toHttpOptions(
  { settings, source }: Configuration,
  place: Place,
  tokens: PrincipalTokens | undefined,
): ServeHttpOptions {
  const { path, allowedHosts, allowedOrigins } = settings.http ?? {};
  if (
    tokens === undefined &&
    !isLoopback(new URL(`http://${place.host.includes(":") ? `[${place.host}]` : place.host}`))
  ) {
    const what = `Cannot serve "${settings.name}" at ${place.host}: other machines reach it and anybody may call, expected a principal with a token`;
    throw new UsageError("no-tokens", what, {
      hint: `principals: { alice: { token: { env: ALICE_TOKEN } } } in ${source.name}`,
    });
  }
  return {
    ...place,
    ...(path !== undefined && { path }),
    ...(allowedHosts !== undefined && { allowedHosts }),
    ...(allowedOrigins !== undefined && { allowedOrigins }),
    ...(tokens !== undefined && { tokens: { list: tokens.list } }),
  };
}

function readPlace(text: string): Place {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) };
  const what = `Cannot serve at ${JSON.stringify(text.slice(0, 100))}: it is no address, expected host:port`;
  throw new UsageError("bad-address", what, { hint: "--http 127.0.0.1:8080" });
}
