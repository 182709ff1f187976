/** The API server of the hub: authentication, protocols and limits. */
export { generateKey, type KeyEntry, type Role, roles } from "./border/keys.ts";
export { defaultServerLimits, type ServerLimits } from "./limits.ts";
export { ServerError, type ServerErrorCode } from "./server-error.ts";
export { defaultServerConfig, type ServerConfig, type StartedServer, startServer } from "./start-server.ts";
export type { Address } from "./transport/listen.ts";
