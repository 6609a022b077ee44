/** Serving over HTTP, whole: loaded only by programs that do. */

export { createTokenList } from "./token-list.ts";
export { createResourceServer } from "./resource-server.ts";
export { Endpoint } from "./endpoint.ts";
export { FetchExchange } from "./fetch-exchange.ts";
export { createGuard } from "./guard.ts";
export { listHeaderParameters } from "./header-parameters.ts";
export { listen } from "./http-server.ts";
export { completeLimits } from "./limits.ts";
export { NodeExchange } from "./node-exchange.ts";
