import {
  type CancelAgentRequest,
  type CancelOutcome,
  ContractError,
  type RunAgentResponse,
  type TaskEnvelope,
} from "@baton/contract";
import type { HubError } from "../../ports/hub-error.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import type { PushLimits } from "./settings.ts";

/** RunAgent and CancelAgent over one transport. */
export interface AgentCalls {
  /**
   * Resolves with the agent's messages when it has accepted the call. The call and the iteration throw `NotDelivered` when
   * the agent certainly does not work on it, and other errors when it may.
   */
  run(envelope: TaskEnvelope, signal: AbortSignal): Promise<AsyncIterable<RunMessage>>;
  cancel(request: CancelAgentRequest, signal: AbortSignal): Promise<CancelOutcome>;
  /** Ends every connection. */
  close(): void;
}

export interface CallParts {
  readonly url: URL;
  readonly hosts: AllowedHosts;
  readonly token: () => string | undefined;
  readonly limits: PushLimits;
}

/** A message of an agent, and its size. */
export type RunMessage =
  | {
      readonly kind: "message";
      readonly bytes: number;
      readonly message: RunAgentResponse;
      /** Called when the report is durable, or refused. */
      readonly settled?: (refused?: HubError) => void;
    }
  | {
      readonly kind: "unreadable";
      readonly bytes: number;
      readonly reason: string;
      /** Whether it was meant as the result: an unreadable answer counts against the agent. */
      readonly isResult: boolean;
      /** The text in place of a message, if it is text. */
      readonly raw?: string;
    }
  /** Bytes between messages. */
  | { readonly kind: "nothing"; readonly bytes: number };

/** The agent certainly does not work on the attempt. */
export class NotDelivered extends Error {
  override readonly name = "NotDelivered";
}

/** Decodes within the limits of the contract. */
export function readRunMessage(bytes: number, isResult: boolean, decode: () => RunAgentResponse): RunMessage {
  try {
    return { kind: "message", bytes, message: decode() };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { kind: "unreadable", bytes, isResult, reason: faultOf(error) };
  }
}

const maxFields = 5;

/** Names the invalid fields and quotes nothing: the text may come from a service that is no agent. */
function faultOf({ code, typeName, violations }: ContractError): string {
  const fields = violations.flatMap(({ field }) => field || []).slice(0, maxFields);
  return `${code} no ${typeName} can be read${fields.length > 0 ? ` (${fields.join(", ")})` : ""}`;
}

/** Whether the connection was never open. */
export function isNoConnection(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if ("code" in one && typeof one.code === "string" && connectErrors.has(one.code)) return true;
  return false;
}

const connectErrors = new Set([
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EACCES", "ENOTFOUND", "EAI_AGAIN"],
]);
