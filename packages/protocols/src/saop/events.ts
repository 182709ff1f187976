/** SAOP §2: what happens while an agent works. A new type of event is one more schema in `eventPayloads`. */
import { z } from "zod";
import { AgentIdSchema, InstantSchema, TurnIndexSchema } from "./turn-envelope.ts";

export const ThoughtStreamSchema = z.object({
  type: z.literal("THOUGHT_STREAM"),
  agent_id: AgentIdSchema,
  turn_index: TurnIndexSchema,
  chunk: z.string(),
  is_final: z.boolean(),
});
export type ThoughtStream = z.infer<typeof ThoughtStreamSchema>;

export const ToolLifecycleInvokedSchema = z.object({
  type: z.literal("TOOL_LIFECYCLE_INVOKED"),
  call_id: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  timestamp: InstantSchema,
});
export type ToolLifecycleInvoked = z.infer<typeof ToolLifecycleInvokedSchema>;

export const ToolLifecycleCompletedSchema = z.object({
  type: z.literal("TOOL_LIFECYCLE_COMPLETED"),
  call_id: z.string(),
  tool: z.string(),
  status: z.enum(["success", "failure", "timeout"]),
  duration_ms: z.number().min(0),
  timestamp: InstantSchema,
});
export type ToolLifecycleCompleted = z.infer<typeof ToolLifecycleCompletedSchema>;

export const TaskTransitionSchema = z.object({
  type: z.literal("TASK_TRANSITION"),
  task_id: z.string(),
  from_state: z.string(),
  to_state: z.string(),
  git_hash: z.string().optional(),
  timestamp: InstantSchema,
});
export type TaskTransition = z.infer<typeof TaskTransitionSchema>;

export const SandboxPulseSchema = z.object({
  type: z.literal("SANDBOX_PULSE"),
  line: z.string(),
  masked: z.boolean(),
  timestamp: InstantSchema,
});
export type SandboxPulse = z.infer<typeof SandboxPulseSchema>;

/** All event types. To add one, spread these (SAOP §3). */
export const eventPayloads = [
  ThoughtStreamSchema,
  ToolLifecycleInvokedSchema,
  ToolLifecycleCompletedSchema,
  TaskTransitionSchema,
  SandboxPulseSchema,
] as const;

export const EventPayloadSchema = z.discriminatedUnion("type", eventPayloads);
export type EventPayload = z.infer<typeof EventPayloadSchema>;

export const EventSchema = z.object({
  event_id: z.uuid(),
  session_id: z.string(),
  payload: EventPayloadSchema,
});
export type Event = z.infer<typeof EventSchema>;
