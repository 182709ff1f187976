export { decodeBinary, decodeJson, encodeBinary, encodeJson, type JsonOptions } from "./codec.ts";
export { ContractError, type ContractErrorCode, toErrorDetail } from "./contract-error.ts";
export { encodeAttachAgentResponse, encodedOnce } from "./encoded-once.ts";
export { defaultLimits, type Limits } from "./limits.ts";
export * from "./messages.ts";
export { contractFiles, contractRegistry } from "./registry.ts";
export { schemaVersion } from "./schema-version.ts";
export { splitCommand } from "./split-command.ts";
export { assertValid, invalid, type Moment, type Violation, validate } from "./validate.ts";
