import { CacheRecordSchema, decodeBinary, type Heuristics, type SubmitTaskRequest } from "@baton/contract";
import {
  type Allowance,
  type CacheIdentity,
  cacheIdentity,
  cacheSubject,
  digestOf,
  type FleetInput,
  type FleetProblem,
  isCached,
  type LearningIdentity,
  type PipelineInput,
  type PipelineState,
} from "@baton/kernel";
import type { HubAuditEvent } from "../audit/hub-events.ts";
import { pause } from "../ports/clock.ts";
import { HubError } from "../ports/hub-error.ts";
import type { KnowledgeQuery, KnowledgeRow, NewKnowledge } from "../ports/store.ts";
import { DamagedJournal, StoreUnavailable } from "../ports/store-error.ts";
import type { EngineInput, EventRequest, InputResult, PipelineRequest } from "./input.ts";
import { defaultKernel, type Kernel } from "./kernel.ts";
import type { Memory } from "./memory.ts";
import type { EngineParts } from "./parts.ts";
import { allowanceOf } from "./state/allowance.ts";
import { replayJournal } from "./state/pipelines.ts";
import { keysOf } from "./transaction.ts";

/** Rows of lessons that are read for a key. */
const maxLessons = 64;

/** What other parts of the runtime call: inputs for the loop in `engine.ts`, and reads of what it has in memory. */
export abstract class EngineCalls {
  protected readonly parts: EngineParts;
  protected readonly kernel: Kernel;
  protected abstract readonly memory: Memory;

  constructor(parts: EngineParts) {
    this.parts = parts;
    this.kernel = parts.kernel ?? defaultKernel;
  }

  protected abstract get isClosed(): boolean;
  protected abstract take(input: EngineInput): void;

  /**
   * Resolves when the result is durable. Rejects when the store failed: nothing was executed, and a caller that repeats the
   * request with the same key learns whether it is stored.
   */
  submit(pipelineId: string, input: PipelineInput): Promise<InputResult> {
    return new Promise((done, failed) =>
      this.take({ kind: "pipeline", pipelineId, input, reply: { done, failed } }),
    );
  }

  /** For inputs that must survive an outage of the store: they wait for it. */
  enqueue(
    pipelineId: string,
    input: PipelineInput,
    extra: Pick<PipelineRequest, "answers" | "timer" | "step"> = {},
  ): Promise<InputResult> {
    return new Promise((done) =>
      this.take({ kind: "pipeline", pipelineId, input, reply: { done }, ...extra }),
    );
  }

  /** As `submit`, for the fleet. */
  submitFleet(tenantId: string, input: FleetInput): Promise<FleetProblem | undefined> {
    return new Promise((done, failed) =>
      this.take({ kind: "fleet", tenantId, input, reply: { done, failed } }),
    );
  }

  /** As `enqueue`, for the fleet. */
  enqueueFleet(tenantId: string, input: FleetInput): Promise<FleetProblem | undefined> {
    return new Promise((done) => this.take({ kind: "fleet", tenantId, input, reply: { done } }));
  }

  /** Resolves when the events are durable. Waits during an outage of the store; rejects when the hub closes first. */
  publish(request: Omit<EventRequest, "kind" | "reply">): Promise<void> {
    return new Promise((done, closed) => this.take({ kind: "event", ...request, reply: { done, closed } }));
  }

  /** Adds an audit entry about the hub itself. Rejects when the store failed and kept nothing. */
  recordEvent(tenantId: string, event: HubAuditEvent): Promise<void> {
    return new Promise((done, failed) =>
      this.take({ kind: "audit", tenantId, event, reply: { done, failed } }),
    );
  }

  /** Adds knowledge and the audit entry about it. Rejects when the store failed and kept nothing. */
  addKnowledge(tenantId: string, knowledge: readonly NewKnowledge[], event: HubAuditEvent): Promise<void> {
    return new Promise((done, failed) =>
      this.take({ kind: "audit", tenantId, event, knowledge, reply: { done, failed } }),
    );
  }

  get nowMs(): number {
    return this.parts.clock.nowMs();
  }

  /** Why the fleet of a tenant would refuse an input now. */
  fleetRefusal(tenantId: string, input: FleetInput): FleetProblem | undefined {
    return this.memory.fleets.decide(tenantId, input, this.nowMs).problem;
  }

  fleet(tenantId: string) {
    return this.memory.fleets.state(tenantId);
  }

  /** What a tenant may spend and has spent; undefined without limits. */
  allowance(tenantId: string): Allowance | undefined {
    const { fleets, spending } = this.memory;
    return allowanceOf({ settings: this.parts.settings, fleets, spending }, tenantId, this.nowMs);
  }

  /** What a governed task is identified by (SAP-05, SAP-06): for the cache where its outcome may be reused, and for learning. */
  async identitiesOf(
    tenantId: string,
    task: SubmitTaskRequest,
  ): Promise<{ readonly cache?: CacheIdentity; readonly learning?: LearningIdentity }> {
    const subject = cacheSubject(tenantId, task);
    if (!subject) return {};
    const { digest } = this.parts.settings;
    const { essence = [] } = (await this.heuristics(tenantId)) ?? {};
    const { capability, territory } = subject;
    const rule = essence.find((one) => one.capability === capability);
    const cache = cacheIdentity(subject, rule?.pointers ?? [], digest);
    if (!cache) return {};
    const { fingerprint } = cache;
    const key = digestOf({ tenantId, capability, territory, fingerprint }, digest);
    return { learning: { key, fingerprint }, ...(isCached(task.governance) && { cache }) };
  }

  /** The heuristics in force for a tenant. */
  async heuristics(tenantId: string): Promise<Heuristics | undefined> {
    const { learnt } = this.memory;
    if (!learnt.knowsHeuristics(tenantId)) await this.#loadHeuristics(tenantId);
    return learnt.heuristics(tenantId);
  }

  stoppedTenants(): readonly string[] {
    const { fleets } = this.memory;
    return fleets.tenants().filter((tenantId) => fleets.state(tenantId).halt !== undefined);
  }

  /** The routing policy in force for a tenant. */
  policy(tenantId: string) {
    return this.memory.fleets.policy(tenantId);
  }

  /** The last durable event of a tenant. */
  lastEvent(tenantId: string): bigint {
    return this.memory.lastEvents.get(tenantId) ?? 0n;
  }

  /** The durable state of a pipeline that is in memory. */
  cachedPipeline(pipelineId: string): PipelineState | undefined {
    return this.memory.durable.get(pipelineId);
  }

  /** The durable state of a pipeline; loaded when it is not in memory. */
  async pipeline(pipelineId: string): Promise<PipelineState | undefined> {
    return this.cachedPipeline(pipelineId) ?? this.loadPipeline(pipelineId);
  }

  /** As `pipeline`, but retries while the store is unavailable. */
  pipelineWithRetry(pipelineId: string): Promise<PipelineState | undefined> {
    return this.whenReadable(() => this.pipeline(pipelineId));
  }

  /** The state that a version had, while the store can be read. */
  pipelineAt(pipelineId: string, version: number): Promise<PipelineState | undefined> {
    const cached = this.cachedPipeline(pipelineId);
    if (cached?.version === version) return Promise.resolve(cached);
    return this.whenReadable(async () => {
      const journal = await this.parts.store.journal(pipelineId);
      return journal && replayJournal(journal, this.kernel.evolve, version);
    });
  }

  /** Retries a read while the store is unavailable. Rejects when it fails for another reason, or when the hub has closed. */
  async whenReadable<Value>(read: () => Promise<Value>): Promise<Value> {
    for (;;) {
      try {
        return await read();
      } catch (error) {
        const cause = error instanceof HubError ? error.cause : error;
        if (!(cause instanceof StoreUnavailable) || cause instanceof DamagedJournal) throw error;
        if (this.isClosed) throw error;
        await pause(this.parts.clock, this.parts.settings.limits.retryStore.firstMs);
      }
    }
  }

  openPipelines(): Iterable<PipelineState> {
    return this.memory.pipelines.open();
  }

  protected async loadPipeline(pipelineId: string): Promise<PipelineState | undefined> {
    const journal = await this.parts.store.journal(pipelineId);
    return journal && replayJournal(journal, this.kernel.evolve);
  }

  async #loadHeuristics(tenantId: string): Promise<void> {
    const { learnt } = this.memory;
    const [row] = await this.#newest({ tenantId, topic: "heuristics", limit: 1 });
    if (!learnt.knowsHeuristics(tenantId)) learnt.loadHeuristics(tenantId, row);
  }

  /** Damaged rows are as absent: no task is answered with them. */
  async #newest(query: KnowledgeQuery): Promise<readonly KnowledgeRow[]> {
    try {
      return await this.parts.store.knowledge(query);
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || error.mayPass) throw error;
      this.parts.onProblem?.(error);
      return [];
    }
  }

  /** Reads what the knowledge of a tenant has for these inputs: outcomes, lessons and heuristics. */
  protected async loadKnowledge(inputs: readonly EngineInput[]): Promise<void> {
    const { outcomes, learnt, pipelines } = this.memory;
    for (const input of inputs) {
      if (input.kind !== "pipeline") continue;
      const state = pipelines.get(input.pipelineId);
      const tenantId = state?.tenantId ?? (input.input.type === "submit" ? input.input.tenantId : "");
      const { cacheKey, isCached, learningKey } = keysOf(state, input.input);
      if (isCached && !learnt.knowsHeuristics(tenantId)) await this.#loadHeuristics(tenantId);
      if (learningKey !== undefined && !learnt.knowsLessons(learningKey)) {
        const rows = await this.#newest({ tenantId, topic: "library", key: learningKey, limit: maxLessons });
        if (!learnt.knowsLessons(learningKey)) learnt.loadLessons(learningKey, rows);
      }
      if (cacheKey === undefined || outcomes.knows(cacheKey)) continue;
      const [row] = await this.#newest({ tenantId, topic: "cache", key: cacheKey, limit: 1 });
      // A decision of another transaction may have stored one meanwhile.
      if (!outcomes.knows(cacheKey))
        outcomes.set(cacheKey, row && decodeBinary(CacheRecordSchema, row.content), row?.content.length ?? 0);
    }
  }

  /** Pipelines that are not in memory may have ended long ago. Returns those whose journals are damaged (D5). */
  protected async loadMissing(inputs: readonly EngineInput[]): Promise<ReadonlySet<string>> {
    const damaged = new Set<string>();
    for (const input of inputs) {
      if (input.kind !== "pipeline" || this.memory.pipelines.get(input.pipelineId)) continue;
      try {
        const state = await this.loadPipeline(input.pipelineId);
        if (!state) continue;
        this.memory.pipelines.set(state);
        this.memory.durable.set(state);
      } catch (error) {
        if (!(error instanceof DamagedJournal)) throw error;
        this.parts.onProblem?.(error);
        damaged.add(input.pipelineId);
      }
    }
    return damaged;
  }
}
