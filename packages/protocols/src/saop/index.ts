/** Turns and events as SAOP defines them, and the codec of turns. */
export {
  type Event,
  type EventPayload,
  EventPayloadSchema,
  EventSchema,
  eventPayloads,
  type SandboxPulse,
  SandboxPulseSchema,
  type TaskTransition,
  TaskTransitionSchema,
  type ThoughtStream,
  ThoughtStreamSchema,
  type ToolLifecycleCompleted,
  ToolLifecycleCompletedSchema,
  type ToolLifecycleInvoked,
  ToolLifecycleInvokedSchema,
} from "./events.ts";
export {
  type LooseTurn,
  migrateTurn,
  readTurn,
  type TurnMigration,
  TurnVersionError,
  turnMigrations,
} from "./migrate-turn.ts";
export { isSameTurn } from "./same-turn.ts";
export { turnFromContract, turnToContract } from "./turn-codec.ts";
export {
  type AgentId,
  AgentIdSchema,
  type TurnContent,
  TurnContentSchema,
  type TurnEnvelope,
  TurnEnvelopeSchema,
  type TurnMetadata,
  TurnMetadataSchema,
  turnVersion,
} from "./turn-envelope.ts";
