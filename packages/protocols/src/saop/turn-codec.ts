import {
  AgentRole,
  Complexity,
  type TurnEnvelope as ContractTurn,
  TurnEnvelopeSchema as ContractTurnSchema,
} from "@baton/contract";
import { create, fromJson, toJson } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { enumNames } from "../enum-names.ts";
import { readTurn } from "./migrate-turn.ts";
import type { TurnEnvelope } from "./turn-envelope.ts";

const roles = enumNames({
  researcher: AgentRole.RESEARCHER,
  architect: AgentRole.ARCHITECT,
  developer: AgentRole.DEVELOPER,
  reviewer: AgentRole.REVIEWER,
});

const complexities = enumNames({
  low: Complexity.LOW,
  medium: Complexity.MEDIUM,
  high: Complexity.HIGH,
});

/** Encodes a turn for the contract. SAOP has four roles; the pack behind the role is separate. */
export function turnToContract(turn: TurnEnvelope, packId = ""): ContractTurn {
  const { content, metadata } = turn;
  return create(ContractTurnSchema, {
    turnIndex: turn.turn_index,
    agentId: roles.number(turn.agent_id),
    role: roles.number(turn.role),
    content,
    metadata: {
      version: metadata.version,
      taskId: metadata.task_id,
      timestamp: fromJson(TimestampSchema, metadata.timestamp),
      confidence: metadata.confidence,
      estimatedComplexity: complexities.number(metadata.estimated_complexity),
    },
    packId,
  });
}

/** A turn as SAOP has it. Throws as `readTurn` does, also for what the contract leaves open and SAOP does not. */
export function turnFromContract({
  turnIndex,
  agentId,
  role,
  content,
  metadata,
}: ContractTurn): TurnEnvelope {
  return readTurn({
    turn_index: turnIndex,
    agent_id: roles.name(agentId),
    role: roles.name(role),
    content: content && {
      thought: content.thought,
      action: content.action,
      observation: content.observation,
    },
    metadata: metadata && {
      version: metadata.version,
      task_id: metadata.taskId,
      timestamp: metadata.timestamp && toJson(TimestampSchema, metadata.timestamp),
      confidence: metadata.confidence,
      estimated_complexity: complexities.name(metadata.estimatedComplexity),
    },
  });
}
