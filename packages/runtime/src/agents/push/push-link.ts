import { type CancelAgentRequest, CancelOutcome, type TaskEnvelope } from "@baton/contract";
import type { Engine } from "../../engine/engine.ts";
import type { IntakeBuffer } from "../../engine/intake-buffer.ts";
import type { Address } from "../../ports/agent-address.ts";
import type { AgentLink } from "../../ports/outside.ts";
import type { AgentReports } from "../agent-reports.ts";
import { type AgentCalls, type CallParts, NotDelivered } from "./agent-calls.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import type { Endpoint } from "./endpoint.ts";
import { GrpcLink } from "./grpc-link.ts";
import { HttpLink } from "./http-link.ts";
import { Run } from "./run.ts";
import type { PushSettings } from "./settings.ts";

export interface PushLinkParts {
  readonly engine: Engine;
  readonly reports: AgentReports;
  readonly intake: IntakeBuffer;
  readonly hosts: AllowedHosts;
  readonly settings: PushSettings;
  readonly after: (delayMs: number, callback: () => void) => () => void;
}

/** The link to a push agent: one call for every attempt, read to its end. */
export class PushLink implements AgentLink {
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
  readonly #parts: PushLinkParts;
  readonly #runs = new Map<string, Run>();
  #endpoint: Endpoint;
  #calls: AgentCalls;
  /** The token of the last call. */
  #lastToken: string | undefined;
  #isClosed = false;

  constructor(parts: PushLinkParts, { tenantId, packId, instanceId }: Address, endpoint: Endpoint) {
    this.tenantId = tenantId;
    this.packId = packId;
    this.instanceId = instanceId;
    this.#parts = parts;
    this.#endpoint = endpoint;
    this.#calls = this.#open(endpoint);
  }

  /** Attempts with an open call. */
  get running(): ReadonlySet<string> {
    return new Set(this.#runs.keys());
  }

  isAt(endpoint: Endpoint): boolean {
    const { transport, url } = this.#endpoint;
    return endpoint.transport === transport && endpoint.url.href === url.href;
  }

  /** Uses another address for new calls. Open calls go on at the old one. */
  moveTo(endpoint: Endpoint): void {
    if (this.isAt(endpoint)) return;
    const before = this.#calls;
    void Promise.all([...this.#runs.values()].map(({ ended }) => ended)).then(() => before.close());
    this.#endpoint = endpoint;
    this.#calls = this.#open(endpoint);
  }

  async send(envelope: TaskEnvelope): Promise<void> {
    const { limits } = this.#parts.settings;
    const dispatchId = envelope.execution?.dispatchId ?? "";
    if (this.#runs.has(dispatchId)) return;
    if (this.#runs.size >= limits.runs)
      throw new NotDelivered(`${limits.runs} attempts are under way at the agent`);
    const plain = (text: string) => this.#plain(text);
    const run = new Run({ ...this.#parts, limits, plain }, this, this.#calls, envelope, dispatchId);
    this.#runs.set(dispatchId, run);
    void run.ended.then(() => this.#runs.delete(dispatchId));
    await run.accepted;
  }

  cancel(request: CancelAgentRequest): Promise<boolean> {
    this.#runs.get(request.dispatchId)?.leave();
    return this.#cancel(request, this.#parts.settings.limits.cancelTries);
  }

  /** Ends all calls. The agent keeps its work. */
  close(): void {
    this.#isClosed = true;
    for (const run of this.#runs.values()) run.close();
    this.#calls.close();
  }

  /** A cancel may overtake its task, so it is repeated when the agent does not know the task. */
  async #cancel(request: CancelAgentRequest, triesLeft: number): Promise<boolean> {
    const { cancelMs, cancelAgainMs } = this.#parts.settings.limits;
    const outcome = await this.#calls.cancel(request, AbortSignal.timeout(cancelMs)).catch(() => undefined);
    const isReached = outcome !== undefined;
    if (isReached && (outcome !== CancelOutcome.UNKNOWN || !this.#runs.has(request.dispatchId))) return true;
    if (triesLeft <= 1 || this.#isClosed) return isReached;
    await new Promise<void>((resolve) => this.#parts.after(cancelAgainMs, resolve));
    return this.#cancel(request, triesLeft - 1);
  }

  #open({ transport, url }: Endpoint): AgentCalls {
    const { hosts, settings } = this.#parts;
    const token = () => {
      this.#lastToken = settings.tokenOf(this);
      return this.#lastToken;
    };
    const parts: CallParts = { url, hosts, limits: settings.limits, token };
    return transport === "grpc" ? new GrpcLink(parts) : new HttpLink(parts);
  }

  /** An agent may quote the token of the call. */
  #plain(text: string): string {
    const hidden = this.#lastToken ? text.replaceAll(this.#lastToken, "[token]") : text;
    return hidden.slice(0, this.#parts.settings.limits.reasonLength);
  }
}
