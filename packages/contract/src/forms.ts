/**
 * The messages and their forms, without the rules. Who shows or keeps what a hub has checked needs no more, and is there
 * in less time: checking brings a compiler of rules along.
 */
export {
  decodeBinary,
  decodeJson,
  encodeBinary,
  encodeJson,
  encodeJsonInto,
  type JsonOptions,
} from "./codec.ts";
export { ContractError, type ContractErrorCode, toErrorDetail } from "./contract-error.ts";
export * from "./messages.ts";
export { schemaVersion } from "./schema-version.ts";
export type { Violation } from "./validate.ts";
