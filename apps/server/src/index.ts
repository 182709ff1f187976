/** The border of the hub: who may call what, over which protocol, and how much of it at once. */
export { generateKey, type KeyEntry, type Role, roles } from "./border/keys.ts";
export type { Address } from "./http/listen.ts";
export { defaultServerLimits, type ServerLimits } from "./limits.ts";
export { ServerError, type ServerErrorCode } from "./server-error.ts";
export { defaultServerConfig, type ServerConfig, type StartedServer, startServer } from "./start-server.ts";
