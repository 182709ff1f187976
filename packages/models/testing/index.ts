export { type ModelServer, startModelServer } from "./model-server.ts";
export {
  type RecordedModel,
  type RecordedOptions,
  type RecordMode,
  recordedModel,
} from "./recordings/recorded-model.ts";
export type {
  RecordedMessage,
  RecordedRequest,
  Script,
  Scripted,
  ScriptedError,
  ScriptedReply,
  ScriptedStream,
  ScriptedToolCall,
  ScriptedUsage,
} from "./reply.ts";
export {
  type ModelScript,
  type ScriptedAnswer,
  type ScriptedFailure,
  type ScriptedModel,
  scriptedModel,
} from "./scripted-model.ts";
