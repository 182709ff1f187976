/** Answers of language models (SACP): the instructions for them, and reading them as responses. */
export { type FoundObject, findObject, longestAnswer } from "./find-object.ts";
export type { Repair } from "./lenient/repairs.ts";
export { appendProtocol, type ProtocolOptions, protocolBlock } from "./protocol-block.ts";
export { readResponse } from "./read-response.ts";
export {
  type HowRead,
  type Liberty,
  type LibertyKind,
  longestResponse,
  type ReadOptions,
  type ResponseProblem,
  type ResponseReading,
} from "./reading.ts";
export {
  allStatuses,
  fallbackResponse,
  NegotiatedResponseSchema,
  responseStatuses,
  type SacpResponse,
  SacpResponseSchema,
  type StatusName,
} from "./response.ts";
export { responseFromContract, responseStatusNames, responseToContract } from "./response-codec.ts";
