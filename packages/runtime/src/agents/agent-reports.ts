import {
  type AgentResult,
  type Event,
  EventSchema,
  type Step,
  ToolStatus,
  type TurnEnvelope,
  TurnEnvelopeSchema,
  type UsedTool,
} from "@baton/contract";
import {
  activeAttempts,
  type Conduct,
  countsAsUsed,
  countsSteps,
  isWithheld,
  type PipelineState,
} from "@baton/kernel";
import { type AttemptLog, maxOpenCalls, type ReportSession } from "../agent-events/attempt-log.ts";
import { AgentEventLog, type EventLogParts } from "../agent-events/event-log.ts";
import { type Positioned, ReportQueues } from "../agent-events/report-queue.ts";
import type { KeptTurn } from "../agent-events/turn-log.ts";
import type { AgentOf } from "../engine/agent-of.ts";
import type { Engine } from "../engine/engine.ts";
import { withholdContent, withholdTurn } from "../events/withheld.ts";
import type { Address } from "../ports/agent-address.ts";
import { HubError } from "../ports/hub-error.ts";
import type { CallRow, HeldRow } from "../ports/store.ts";
import { pipelineOf, stageOf } from "../ports/stored-command.ts";
import { accept } from "./accept.ts";
import type { AgentConnections } from "./connections.ts";
import { storeStep } from "./steps/step-log.ts";

/** What an agent reports while it works, over any transport. */
export type FromAgent =
  | { readonly case: "turn"; readonly value: TurnEnvelope }
  | { readonly case: "event"; readonly value: Event }
  | { readonly case: "step"; readonly value: Step };

/** The agent that reports. */
export interface Reporter extends Address, Conduct {
  /** The hub starts it itself, and has written the notices of its results. */
  readonly isStartedHere?: boolean;
}

export interface AgentReportsParts extends EventLogParts {
  readonly connections: AgentConnections;
  readonly agentOf: AgentOf;
}

/** Takes reports and results. An agent reports on its own attempts only. */
export class AgentReports {
  readonly #engine: Engine;
  readonly #connections: AgentConnections;
  readonly #agentOf: AgentOf;
  readonly #log: AgentEventLog;
  readonly #queues = new ReportQueues();

  constructor(parts: AgentReportsParts) {
    this.#engine = parts.engine;
    this.#connections = parts.connections;
    this.#agentOf = parts.agentOf;
    this.#log = new AgentEventLog(parts);
  }

  /**
   * Resolves when the report is durable. Throws `HubError` when it is refused for good. Reports of an attempt are published
   * in the order in which they came. The default session of a reporter is itself.
   */
  take(from: Reporter, dispatchId: string, message: FromAgent, session: ReportSession = from): Promise<void> {
    if (this.#connections.isElsewhere(from, dispatchId)) return Promise.reject(notYours(dispatchId));
    return this.#queues.join(keyOf(from, dispatchId), (before) =>
      this.#report(from, dispatchId, message, session, before),
    );
  }

  /**
   * Takes a result, and returns the attempt that it was taken for. `carriedBy` is the attempt whose call or message carried
   * it; empty when the result alone names one. A result counts after all reports before it: an agent that did what it must
   * not has not completed anything (DIS-16). Throws `HubError` when it belongs to no attempt of this agent.
   */
  async answer(from: Reporter, result: AgentResult, carriedBy = ""): Promise<string> {
    const stated = result.dispatchId || carriedBy;
    const isOpen = this.#connections.isUnderWayAt(from, stated);
    const dispatchId = isOpen ? stated : await this.#answeredAttempt(from, stated, carriedBy);
    const key = keyOf(from, dispatchId);
    if (this.#queues.isEmpty(key)) await this.#answer(from, dispatchId, result);
    else
      await this.#queues.join(key, async (before) => ({
        rest: this.#answer(from, dispatchId, result, before),
      }));
    return dispatchId;
  }

  /**
   * The attempt that a result counts for which names none that is under way here. A late result belongs to its own attempt
   * and changes nothing (DIS-13). Any other names a dispatch that this agent never had: it is an invalid answer to the attempt
   * that carried it or, without one, to the only attempt the agent works on. Where there is none or a choice, it counts
   * against the agent alone (DIS-14).
   */
  async #answeredAttempt(from: Reporter, stated: string, carriedBy: string): Promise<string> {
    if (await this.#hadAttempt(from, stated)) return stated;
    if (this.#connections.isUnderWayAt(from, carriedBy)) return carriedBy;
    const [only, ...others] = this.#connections.underWay(from);
    if (only !== undefined && others.length === 0) return only;
    const { tenantId, packId, instanceId } = from;
    const error = `dispatch_id is ${JSON.stringify(stated)}, and no such attempt was sent to it`;
    await this.#engine.enqueueFleet(tenantId, {
      kind: "result",
      ...{ packId, instanceId, valid: false, error, stated },
    });
    throw notYours(stated);
  }

  /** Whether an attempt was ever sent to this agent. */
  async #hadAttempt(from: Reporter, dispatchId: string): Promise<boolean> {
    const pipelineId = pipelineOf(dispatchId);
    const state =
      this.#engine.cachedPipeline(pipelineId) ?? (await this.#engine.pipelineWithRetry(pipelineId));
    if (state?.tenantId !== from.tenantId || !hasAttempt(state, dispatchId)) return false;
    return this.#isAgentOf(from, dispatchId);
  }

  /** Waits for the store: a failure of a moment must not cost an agent its result. */
  async #isAgentOf({ tenantId, packId, instanceId }: Reporter, dispatchId: string): Promise<boolean> {
    const agent = await this.#engine.whenReadable(() => this.#agentOf(tenantId, dispatchId));
    return agent.packId === packId && agent.instanceId === instanceId;
  }

  async #answer(
    from: Reporter,
    dispatchId: string,
    result: AgentResult,
    before?: Promise<unknown>,
  ): Promise<void> {
    const { id: pipelineId, tenantId } = await this.#pipeline(from, dispatchId);
    const ending = this.#log.find({ tenantId, dispatchId })?.end();
    if (ending) await ending;
    // The pieces that wait in a batch are stored with that, so this does not take long.
    if (before) await before;
    // The kernel decides whether it is valid, and what a result of no attempt costs the agent.
    // Notices are the hub's own: what an agent writes there is dropped.
    const own = from.isStartedHere || result.notices.length === 0 ? result : { ...result, notices: [] };
    const answer = { kind: "result", result: own } as const;
    await this.#engine.enqueue(pipelineId, { type: "result", dispatchId, answer });
  }

  async #report(
    from: Reporter,
    dispatchId: string,
    message: FromAgent,
    session: ReportSession,
    before: Promise<unknown> | undefined,
  ): Promise<Positioned> {
    const state = await this.#pipeline(from, dispatchId);
    if (!hasAttempt(state, dispatchId)) throw notYours(dispatchId);
    if (message.case === "step") return this.#step(from, state, dispatchId, message.value);
    const underWay = activeAttempts(state).find(({ sent }) => sent.dispatchId === dispatchId);
    if (!underWay) await this.#refuseOver(from, dispatchId, message);
    const { id: pipelineId, tenantId, createdAtMs } = state;
    const log = this.#log.of({ tenantId, pipelineId, dispatchId }, underWay !== undefined);
    if (this.#log.isLookUpDue(log, session, !underWay)) {
      // What came over the connection that was lost is stored by then.
      await before;
      await this.#log.lookUp(log, session, underWay?.sent.sentAtMs ?? createdAtMs);
    }
    if (message.case === "event") {
      // All events of a pipeline have one session, whatever the agent calls its own (SAOP §2).
      const event = { ...accept(EventSchema, message.value), sessionId: pipelineId };
      return { rest: this.#event(from, log, event, isWithheld(state)) };
    }
    const turn = accept(TurnEnvelopeSchema, message.value);
    const kept = await log.turn(from.packId, isWithheld(state) ? withholdTurn(turn) : turn);
    return { rest: this.#turn(from, log, turn, kept) };
  }

  /** A step belongs to the running attempt alone; the kernel decides whether that is this one. */
  async #step(
    from: Reporter,
    { id: pipelineId, tenantId }: PipelineState,
    dispatchId: string,
    step: Step,
  ): Promise<Positioned> {
    const isOpen = this.#connections.isUnderWayAt(from, dispatchId);
    if (!isOpen && !(await this.#isAgentOf(from, dispatchId))) throw notYours(dispatchId);
    return { rest: storeStep(this.#engine, { tenantId, pipelineId, dispatchId }, step) };
  }

  /** The agent of an attempt that is over may still report on it; it begins no calls. */
  async #refuseOver(
    from: Reporter,
    dispatchId: string,
    { value }: Exclude<FromAgent, { case: "step" }>,
  ): Promise<void> {
    if (!(await this.#isAgentOf(from, dispatchId))) throw notYours(dispatchId);
    if ("payload" in value && value.payload.case === "toolInvoked") throw isOver(dispatchId);
  }

  async #event(from: Reporter, log: AttemptLog, event: Event, withheld: boolean): Promise<void> {
    if (await log.event(withheld ? withholdContent(event) : event)) await this.#countTool(from, log, event);
  }

  async #turn(
    from: Reporter,
    log: AttemptLog,
    { turnIndex, metadata }: TurnEnvelope,
    { isNew, stored }: KeptTurn,
  ): Promise<void> {
    await stored;
    const { pipelineId, dispatchId } = log.attempt;
    const confidence = metadata?.confidence ?? 0;
    await this.#engine.enqueue(pipelineId, { type: "turn", dispatchId, turnIndex, confidence });
    if (isNew && countsSteps(from)) await this.#count(log);
  }

  /** Checks a tool against the safety context when the kernel counts it as used. */
  async #countTool(from: Reporter, log: AttemptLog, { payload }: Event): Promise<void> {
    if (payload.case === "toolInvoked") {
      const { callId, tool: name, arguments: given = {}, refused } = payload.value;
      const tool = { name, arguments: given };
      if (refused === "" && countsAsUsed(from, "invoked")) return this.#count(log, tool);
      if (log.asked.size < maxOpenCalls) log.asked.set(callId, tool);
    }
    if (payload.case === "toolCompleted") {
      const { callId, status } = payload.value;
      const tool = log.asked.get(callId);
      log.asked.delete(callId);
      // A call that was reported as refused, and succeeded, is a use like those of a restrained agent.
      const ended = status === ToolStatus.SUCCESS ? "succeeded" : "failed";
      if (!tool || !countsAsUsed({ restrained: true }, ended)) return;
      const { pipelineId, dispatchId } = log.attempt;
      await this.#engine.enqueue(pipelineId, { type: "steps", dispatchId, steps: 0, tool });
    }
  }

  /** Counts a turn or a tool; the kernel decides whether the agent may go on (DIS-16). */
  async #count(log: AttemptLog, tool?: UsedTool): Promise<void> {
    const { pipelineId, dispatchId } = log.attempt;
    const steps = ++log.steps;
    await this.#engine.enqueue(pipelineId, { type: "steps", dispatchId, steps, ...(tool && { tool }) });
  }

  /** An agent begins a session, and may repeat reports of attempts that are over. */
  begin(session: ReportSession): void {
    this.#log.begin(session);
  }

  /** The agent has come back with the attempt, and may repeat its reports. */
  mayRepeat({ tenantId }: Pick<Address, "tenantId">, dispatchId: string): void {
    const attempt = { tenantId, pipelineId: pipelineOf(dispatchId), dispatchId };
    this.#log.mayRepeat(attempt, this.#connections.isUnderWay(attempt));
  }

  /** Calls and tails that an earlier process left open. */
  recall(calls: readonly CallRow[], tails: readonly HeldRow[]): void {
    this.#log.recall(calls, tails, (attempt) => this.#connections.isUnderWay(attempt));
  }

  forget({ tenantId }: Pick<Address, "tenantId">, dispatchId: string): void {
    this.#log.over({ tenantId, pipelineId: pipelineOf(dispatchId), dispatchId });
  }

  /** The answer is the same for a pipeline of another tenant and for none. */
  async #pipeline({ tenantId }: Address, dispatchId: string): Promise<PipelineState> {
    const pipelineId = pipelineOf(dispatchId);
    const state =
      this.#engine.cachedPipeline(pipelineId) ?? (await this.#engine.pipelineWithRetry(pipelineId));
    if (state?.tenantId !== tenantId) throw notYours(dispatchId);
    return state;
  }
}

function keyOf({ tenantId }: Address, dispatchId: string): string {
  return `${tenantId}\n${dispatchId}`;
}

/** Whether it was ever sent, to any agent. A rewind takes attempts back, and their numbers stay used (TUR-08). */
function hasAttempt({ plan, stages }: PipelineState, dispatchId: string): boolean {
  const stageId = stageOf(dispatchId);
  const attempt = Number(dispatchId.slice(dispatchId.lastIndexOf("/") + 1));
  const stage = stages[plan.stages.findIndex(({ id }) => id === stageId)];
  if (!stage || !Number.isInteger(attempt)) return false;
  return attempt >= 1 && attempt <= Math.max(stage.attempt, stage.usedUpTo);
}

export function notYours(dispatchId: string): HubError {
  return new HubError("not-found", "BATON-AGENT-002", `there is no attempt "${dispatchId}" of this agent`, {
    fix: "answer with the dispatch_id of the envelope",
  });
}

function isOver(dispatchId: string): HubError {
  return new HubError("precondition", "BATON-AGENT-007", `the attempt "${dispatchId}" is over`, {
    fix: "stop, and call no more tools for it",
  });
}
