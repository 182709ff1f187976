/** SACP §2.1: what an agent of a workflow answers. Ranges are exactly those of the text. */
import { z } from "zod";

/** SACP §2.1. */
export const responseStatuses = ["success", "failure", "clarification_needed", "completed"] as const;

/** SACP §11 adds one, which sends the work back to the previous agent. */
export const allStatuses = [...responseStatuses, "retry_with_instruction"] as const;

export type StatusName = (typeof allStatuses)[number];

const fields = {
  thought: z.string(),
  data: z.record(z.string(), z.json()),
  message: z.string(),
  next_step_hint: z.string().optional(),
};

/** The strict form. */
export const SacpResponseSchema = z.object({ ...fields, status: z.enum(responseStatuses) });

/** The strict form where the graph lets an agent negotiate (SACP §11). */
export const NegotiatedResponseSchema = z.object({ ...fields, status: z.enum(allStatuses) });

export type SacpResponse = z.infer<typeof NegotiatedResponseSchema>;

/** What stands for an answer that cannot be read (SACP §7.2). */
export function fallbackResponse(text: string): SacpResponse {
  return {
    thought: "System Note: LLM failed to provide structured JSON output.",
    status: "failure",
    data: { raw_output: text },
    message: "The LLM returned an invalid response format.",
  };
}
