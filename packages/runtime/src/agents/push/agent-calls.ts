import {
  type CancelAgentRequest,
  type CancelOutcome,
  ContractError,
  type RunAgentResponse,
  type TaskEnvelope,
} from "@baton/contract";
import type { AllowedHosts } from "./allowed-hosts.ts";
import type { PushLimits } from "./settings.ts";

/** How an agent that listens is called: what RunAgent and CancelAgent are on one wire. */
export interface AgentCalls {
  /**
   * Resolves when the agent has taken the call; what is iterated then is what it says, until it has said everything.
   * Both throw `NotDelivered` when the agent certainly does not work on it, and anything else when nobody can know.
   */
  run(envelope: TaskEnvelope, signal: AbortSignal): Promise<AsyncIterable<Said>>;
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

/** One thing that an agent said, and how much it was. */
export type Said =
  | { readonly kind: "message"; readonly bytes: number; readonly message: RunAgentResponse }
  | {
      readonly kind: "unreadable";
      readonly bytes: number;
      readonly reason: string;
      /** Whether it was meant to be the result: an answer that cannot be read counts against the agent. */
      readonly isResult: boolean;
      /** What was said instead, where that is text. */
      readonly raw?: string;
    }
  /** Room between messages. */
  | { readonly kind: "nothing"; readonly bytes: number };

/** The agent does not work on it. */
export class NotDelivered extends Error {
  override readonly name = "NotDelivered";
}

/** Reads with the limits of the contract. */
export function readSaid(bytes: number, isResult: boolean, decode: () => RunAgentResponse): Said {
  try {
    return { kind: "message", bytes, message: decode() };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { kind: "unreadable", bytes, isResult, reason: faultOf(error) };
  }
}

const mostFields = 5;

/** Names the fields at fault and quotes nothing: what was read may come from a service that is no agent at all. */
function faultOf({ code, typeName, violations }: ContractError): string {
  const fields = violations.flatMap(({ field }) => field || []).slice(0, mostFields);
  return `${code} no ${typeName} can be read${fields.length > 0 ? ` (${fields.join(", ")})` : ""}`;
}

/** Errors of connections that were never there. */
export function isNoConnection(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if ("code" in one && typeof one.code === "string" && neverThere.has(one.code)) return true;
  return false;
}

const neverThere = new Set([
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EACCES", "ENOTFOUND", "EAI_AGAIN"],
]);
