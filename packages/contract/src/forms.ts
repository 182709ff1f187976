/**
 * Messages and codecs without validation, for readers of what a hub has validated. Loads faster, because validation
 * includes a compiler of rules.
 */
export {
  decodeBinary,
  decodeJson,
  encodeBinary,
  encodeJson,
  encodeJsonInto,
  type JsonOptions,
  parseJson,
} from "./codec/codec.ts";
export * from "./messages.ts";
export { schemaVersion } from "./schema-version.ts";
export { ContractError, type ContractErrorCode, toErrorDetail } from "./validation/contract-error.ts";
export type { Violation } from "./validation/validate.ts";
