import { randomUUID } from "node:crypto";
import { AgentRole, Complexity, type ContractSchema, type TaskEnvelope } from "@baton/contract";
import { resultFor, stages, testPolicy } from "@baton/kernel/testing";
import { type ConfigurableHub, type HubParts, openMemoryStore } from "@baton/runtime";
import { ada, ended, reaches, task, testHub } from "@baton/runtime/testing";
import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampNow } from "@bufbuild/protobuf/wkt";
import { expect, onTestFinished } from "vitest";
import { type Account, accountOf } from "./account.ts";
import type { Behaviour, ConnectedAgent, Connector, Message } from "./connector.ts";

/** Only ends what hangs. */
const hangsMs = 60_000;
export const polling = { timeout: hangsMs, interval: 10 } as const;

/** What is on record of an attempt that went well. */
export function passed(attempt: number): readonly string[] {
  return ["received a result", "the result is valid", "the gate passed"].map((what) => `${attempt}: ${what}`);
}

interface Request {
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
  readonly contract?: MessageInitShape<typeof ContractSchema>;
  /** What the data of its answer has to satisfy. */
  readonly outputSchema?: JsonObject;
}

/** A hub with one agent, and one task for it that is tried up to three times, without a wait in between. */
export class Setting {
  readonly #store = openMemoryStore();
  readonly #parts: Partial<HubParts>;
  hub!: ConfigurableHub;
  agent!: ConnectedAgent;

  private constructor(parts: Partial<HubParts>) {
    this.#parts = parts;
  }

  static async of(
    connector: Connector,
    behaviour: Behaviour,
    parts: Partial<HubParts> = {},
  ): Promise<Setting> {
    const setting = new Setting(parts);
    onTestFinished(() => setting.hub.drain(0));
    await setting.start();
    setting.agent = await connector.connectAgent(setting.hub, behaviour);
    return setting;
  }

  async start(): Promise<void> {
    // One that has failed is tried again: there is no other.
    const policy = testPolicy({ requireHealthy: false });
    this.hub = await testHub({ store: this.#store, policy, ...this.#parts });
  }

  async submit({
    timeoutMs = hangsMs,
    maxAttempts = 3,
    contract,
    outputSchema,
  }: Request = {}): Promise<string> {
    const retry = { maxAttempts, initialBackoff: durationFromMs(1), maxBackoff: durationFromMs(1) };
    const limits = { timeout: durationFromMs(timeoutMs), handoffPolicy: { retry } };
    const plan = stages({ work: { ...limits, ...(outputSchema && { outputSchema }) } });
    const value = { name: "One", stages: plan };
    const { pipeline } = await this.hub.submitTask(
      ada,
      task({ plan: { case: "pipeline", value }, ...(contract && { contract }) }),
    );
    return pipeline?.pipelineId ?? "";
  }

  async ends(pipelineId: string): Promise<void> {
    await reaches(this.hub, pipelineId, ...ended);
  }

  /** Waits until the hub shows this of a pipeline. */
  async shows(pipelineId: string, expected: Account): Promise<void> {
    await expect.poll(() => accountOf(this.hub, pipelineId), polling).toEqual(expected);
  }
}

export function result(envelope: TaskEnvelope, init: Parameters<typeof resultFor>[1] = {}): Message {
  return { case: "result", value: resultFor(envelope, init) };
}

export function thought(turnIndex: number): Message {
  const value = { agentId: AgentRole.DEVELOPER, turnIndex, chunk: `thought ${turnIndex}`, isFinal: false };
  return {
    case: "event",
    value: { eventId: randomUUID(), sessionId: "session-1", payload: { case: "thoughtStream", value } },
  };
}

export function turn(turnIndex: number, thought = "so"): Message {
  return {
    case: "turn",
    value: {
      turnIndex,
      agentId: AgentRole.DEVELOPER,
      role: AgentRole.DEVELOPER,
      content: { thought, action: "that", observation: "" },
      metadata: {
        ...{ version: "1.0.0", taskId: "task-1", timestamp: timestampNow() },
        ...{ confidence: 0.9, estimatedComplexity: Complexity.LOW },
      },
    },
  };
}
