import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import {
  CancelAgentRequestSchema,
  type CancelOutcome,
  CancelReason,
  type TaskEnvelope,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { AgentUnderTest, DispatchOptions, Profile } from "../agent-under-test.ts";
import type { Complaints } from "../complaints.ts";
import { Failed } from "../failed.ts";
import type { HubSide } from "../hub/hub-side.ts";
import { limits } from "../limits.ts";
import { idsOf } from "../tasks.ts";
import { Call } from "./call.ts";
import type { Caller } from "./caller.ts";
import { grpcCaller } from "./grpc-caller.ts";
import { httpJsonCaller } from "./http-json-caller.ts";

export interface CalledAgentParts {
  readonly transport: "grpc" | "http-json";
  readonly address: string;
  readonly token: string | undefined;
  readonly patienceMs: number;
  readonly complaints: Complaints;
  /** Where it made itself known, when it did. */
  readonly hub: HubSide | undefined;
  /** Replaces the manifest and the heartbeat of an agent that did not register. */
  readonly assumed: Pick<Profile, "taskTypes" | "capacity">;
}

/** An agent that listens: the suite calls it at its address. */
export class CalledAgent implements AgentUnderTest {
  readonly transport: "grpc" | "http-json";
  readonly patienceMs: number;
  readonly token: string | undefined;
  readonly #parts: CalledAgentParts;
  readonly #caller: Caller;

  constructor(parts: CalledAgentParts) {
    const { transport, address, token } = parts;
    this.#parts = parts;
    this.transport = transport;
    this.patienceMs = parts.patienceMs;
    this.token = token;
    this.#caller = transport === "grpc" ? grpcCaller(address, token) : httpJsonCaller(address, token);
  }

  get profile(): Profile {
    const { hub, assumed } = this.#parts;
    const manifest = hub?.registrations[0];
    const heartbeat = hub?.heartbeats[0];
    if (!manifest) return { ...assumed, manifest, heartbeat };
    const capacity = heartbeat?.capacity?.maxTasks ?? 0;
    return { manifest, heartbeat, taskTypes: manifest.supportedTaskTypes, capacity };
  }

  /** Tries until something listens at the address. */
  async ready(withinMs = this.patienceMs): Promise<void> {
    const { address } = this.#parts;
    for (const endMs = performance.now() + withinMs; !(await isListening(address)); ) {
      if (performance.now() > endMs) throw new Failed(`an agent that listens at ${address}`, "none");
      await pause(limits.pollMs);
    }
  }

  dispatch(envelope: TaskEnvelope, options: DispatchOptions = {}): Call {
    return this.#call(envelope, { ...options, token: this.token });
  }

  /** Calls the agent without its token. */
  dispatchUnproven(envelope: TaskEnvelope): Call {
    return this.#call(envelope, { token: "not the token" });
  }

  async cancel(envelope: TaskEnvelope): Promise<CancelOutcome> {
    const request = create(CancelAgentRequestSchema, { ...idsOf(envelope), reason: CancelReason.ABORTED });
    try {
      return await this.#caller.cancel(request, AbortSignal.timeout(this.patienceMs));
    } catch (error) {
      throw new Failed("an answer to the cancel", error instanceof Error ? error.message : String(error));
    }
  }

  /** Ends the connection. */
  close(): void {
    this.#caller.close();
  }

  #call(envelope: TaskEnvelope, options: DispatchOptions & { readonly token: string | undefined }): Call {
    const { patienceMs, complaints } = this.#parts;
    return new Call({ caller: this.#caller, envelope, patienceMs, complaints, ...options });
  }
}

async function isListening(address: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = connect({ host, port: Number(port || (protocol === "https:" ? 443 : 80)) });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
