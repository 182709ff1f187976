/** SAOP §1: what an agent says at the end of a turn. Ranges are exactly those of the text. */
import { z } from "zod";

/** The four roles that SAOP knows. The pack behind a role travels beside the turn. */
export const AgentIdSchema = z.enum(["researcher", "architect", "developer", "reviewer"]);
export type AgentId = z.infer<typeof AgentIdSchema>;

/** The version that is written now. A mandatory field more makes the next one; see `migrate-turn.ts`. */
export const turnVersion = "1.0.0";

/** ISO 8601 in UTC: a `Z` at the end, and no other offset. */
export const InstantSchema = z.iso.datetime();

export const TurnIndexSchema = z.int().min(0);

/** Verbatim: nothing is trimmed or cut. */
export const TurnContentSchema = z.object({
  thought: z.string(),
  action: z.string(),
  observation: z.string(),
});
export type TurnContent = z.infer<typeof TurnContentSchema>;

export const TurnMetadataSchema = z.object({
  version: z.literal(turnVersion),
  task_id: z.string(),
  timestamp: InstantSchema,
  confidence: z.number().min(0).max(1),
  estimated_complexity: z.enum(["low", "medium", "high"]),
});
export type TurnMetadata = z.infer<typeof TurnMetadataSchema>;

export const TurnEnvelopeSchema = z.object({
  turn_index: TurnIndexSchema,
  agent_id: AgentIdSchema,
  role: AgentIdSchema,
  content: TurnContentSchema,
  metadata: TurnMetadataSchema,
});
export type TurnEnvelope = z.infer<typeof TurnEnvelopeSchema>;
