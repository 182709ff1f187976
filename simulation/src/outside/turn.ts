import {
  AgentRole,
  Complexity,
  type TaskEnvelope,
  type TurnEnvelope,
  TurnEnvelopeSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

/** A turn that states only a confidence. */
export function turnOf(
  { contract }: TaskEnvelope,
  turnIndex: number,
  confidence: number,
  nowMs: number,
): TurnEnvelope {
  return create(TurnEnvelopeSchema, {
    turnIndex,
    agentId: AgentRole.DEVELOPER,
    role: AgentRole.DEVELOPER,
    content: { thought: "perhaps", action: "try", observation: "" },
    metadata: {
      version: "1.0",
      taskId: contract?.taskId ?? "",
      timestamp: timestampFromMs(nowMs),
      confidence,
      estimatedComplexity: Complexity.LOW,
    },
  });
}
