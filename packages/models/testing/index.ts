export { type ModelServer, startModelServer } from "./model-server.ts";
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
