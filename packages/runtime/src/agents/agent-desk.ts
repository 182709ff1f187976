import {
  type AgentResult,
  assertValid,
  ContractError,
  type Event,
  EventSchema,
  type Moment,
  ToolStatus,
  type TurnEnvelope,
  TurnEnvelopeSchema,
  toErrorDetail,
  type UsedTool,
} from "@baton/contract";
import {
  attemptsUnderWay,
  type Conduct,
  countsAsUsed,
  countsSteps,
  type FleetProblem,
  type PipelineState,
} from "@baton/kernel";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Driver } from "../driver/driver.ts";
import { pipelineOf, stageOf } from "../driver/order.ts";
import { HubError } from "../hub/hub-error.ts";
import type { AgentOf } from "../hub/watch-filter.ts";
import type { CallRow, HeldRow } from "../ports/store.ts";
import type { Address } from "./address.ts";
import { Lines, type Placed } from "./lines.ts";
import { mostOpenCalls } from "./open-calls.ts";
import type { SaidIn } from "./repeaters.ts";
import type { Switchboard } from "./switchboard.ts";
import { type KeptTurn, type Telling, Tellings, type TellingsParts } from "./tellings.ts";

/** What agents report while they work, whichever way it comes in. */
export type FromAgent =
  | { readonly case: "turn"; readonly value: TurnEnvelope }
  | { readonly case: "event"; readonly value: Event };

/** Attempts whose steps are counted at the same time; beyond, not those that began first. */
const attemptsCounted = 200_000;

function keep<Value>(kept: Map<string, Value>, key: string, value: Value, most = attemptsCounted): void {
  kept.set(key, value);
  if (kept.size <= most) return;
  const [oldest] = kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
}

/** An agent that speaks. */
export interface Speaker extends Address, Conduct {
  /** The hub starts it itself, and has written the notices of its results. */
  readonly isStartedHere?: boolean;
}

export interface DeskParts extends TellingsParts {
  readonly switchboard: Switchboard;
  readonly agentOf: AgentOf;
}

/** Takes what agents say. An agent speaks only of its own attempts. */
export class AgentDesk {
  readonly #driver: Driver;
  readonly #switchboard: Switchboard;
  readonly #agentOf: AgentOf;
  readonly #tellings: Tellings;
  readonly #lines = new Lines();
  /** Steps by attempt, since the hub began: what an agent says of them itself comes with its result. */
  readonly #taken = new Map<string, number>();
  /** Calls of those that restrain themselves, by attempt and call, until they are told to have ended. */
  readonly #asked = new Map<string, Map<string, UsedTool>>();

  constructor(parts: DeskParts) {
    this.#driver = parts.driver;
    this.#switchboard = parts.switchboard;
    this.#agentOf = parts.agentOf;
    this.#tellings = new Tellings(parts);
  }

  /**
   * Resolves when it is durable. Throws `HubError` when it will never be taken. What is told of an attempt is told on in the
   * order in which it was said. Unless told, all that a speaker says is said in one go.
   */
  take(from: Speaker, dispatchId: string, message: FromAgent, saidIn: SaidIn = from): Promise<void> {
    const { tenantId } = from;
    if (this.#switchboard.isElsewhere(from, dispatchId)) return Promise.reject(notYours(dispatchId));
    return this.#lines.join(tenantId, dispatchId, (before) =>
      this.#tell(from, dispatchId, message, saidIn, before),
    );
  }

  /**
   * Takes a result, and returns the attempt that it was taken for. `carriedBy` is the attempt whose call or message carried
   * it; empty when the result alone names one. A result counts when everything before it does: an agent that did what it
   * must not has not completed anything (DIS-16). Throws `HubError` when it belongs to no attempt of this agent.
   */
  async answer(from: Speaker, result: AgentResult, carriedBy = ""): Promise<string> {
    const { tenantId } = from;
    const stated = result.dispatchId || carriedBy;
    const isOpen = this.#switchboard.isUnderWayAt(from, stated);
    const dispatchId = isOpen ? stated : await this.#attemptAnswered(from, stated, carriedBy);
    if (!this.#lines.has(tenantId, dispatchId)) await this.#answer(from, dispatchId, result);
    else
      await this.#lines.join(tenantId, dispatchId, async (before) => ({
        rest: this.#answer(from, dispatchId, result, before),
      }));
    return dispatchId;
  }

  /**
   * The attempt that a result is held against which names none that is under way here. A late one is its own attempt's and
   * changes nothing (DIS-13). Any other names a dispatch that this agent never had: it is an invalid answer to the attempt
   * that carried it or, without one, to the only attempt the agent works on. Where there is none or a choice, it counts
   * against the agent alone (DIS-14).
   */
  async #attemptAnswered(from: Speaker, stated: string, carriedBy: string): Promise<string> {
    if (await this.#hadAttempt(from, stated)) return stated;
    if (this.#switchboard.isUnderWayAt(from, carriedBy)) return carriedBy;
    const [only, ...others] = this.#switchboard.underWay(from);
    if (only !== undefined && others.length === 0) return only;
    const { tenantId, packId, instanceId } = from;
    const error = `dispatch_id is ${JSON.stringify(stated)}, and no such attempt was sent to it`;
    await this.#driver.tellFleet(tenantId, {
      kind: "result",
      ...{ packId, instanceId, valid: false, error, stated },
    });
    throw notYours(stated);
  }

  /** Whether an attempt was sent to this agent, however long ago. */
  async #hadAttempt(from: Speaker, dispatchId: string): Promise<boolean> {
    const pipelineId = pipelineOf(dispatchId);
    const state = this.#driver.inMemory(pipelineId) ?? (await this.#driver.pipelineInTime(pipelineId));
    if (state?.tenantId !== from.tenantId || !hasAttempt(state, dispatchId)) return false;
    const { packId, instanceId } = await this.#agentOf(from.tenantId, dispatchId);
    return packId === from.packId && instanceId === from.instanceId;
  }

  async #answer(
    from: Speaker,
    dispatchId: string,
    result: AgentResult,
    before?: Promise<unknown>,
  ): Promise<void> {
    const { id: pipelineId } = await this.#pipeline(from, dispatchId);
    const { tenantId, packId } = from;
    const telling = this.#tellings.end({ tenantId, packId, pipelineId, dispatchId });
    if (telling) await telling;
    // Whatever waited a moment was taken along by that, so this is not for long.
    if (before) await before;
    // Whether it is valid the kernel decides, and what one of no attempt is worth: it counts against the agent.
    // Notices are the hub's word: what an agent writes there is dropped.
    const own = from.isStartedHere || result.notices.length === 0 ? result : { ...result, notices: [] };
    const answer = { kind: "result", result: own } as const;
    await this.#driver.give(pipelineId, { type: "result", dispatchId, answer });
  }

  async #tell(
    from: Speaker,
    dispatchId: string,
    message: FromAgent,
    saidIn: SaidIn,
    before: Promise<unknown> | undefined,
  ): Promise<Placed> {
    const { tenantId, packId } = from;
    const state = await this.#pipeline(from, dispatchId);
    if (!hasAttempt(state, dispatchId)) throw notYours(dispatchId);
    const underWay = attemptsUnderWay(state).find(({ sent }) => sent.dispatchId === dispatchId);
    if (!underWay) await this.#lookWhoHad(from, dispatchId, message);
    const { id: pipelineId, createdAtMs } = state;
    const telling = { tenantId, packId, pipelineId, dispatchId, isOver: underWay === undefined };
    if (this.#tellings.isRepeater(telling, saidIn)) {
      // What came over the connection that was lost is then stored, too.
      await before;
      const wanted = { ...telling, sinceMs: underWay?.sent.sentAtMs ?? createdAtMs };
      await this.#tellings.recallTold(wanted, saidIn);
    }
    if (message.case === "event") {
      // Whatever the agent calls its session: all that is told of a pipeline belongs together (SAOP §2).
      const event = { ...accept(EventSchema, message.value), sessionId: pipelineId };
      return { rest: this.#event(from, telling, event) };
    }
    const turn = accept(TurnEnvelopeSchema, message.value);
    const kept = await this.#tellings.turn(telling, turn);
    return { rest: this.#turn(from, telling, turn, kept) };
  }

  /** Of an attempt that is over, who had it may still tell what it did and thought; it begins nothing any more. */
  async #lookWhoHad(from: Speaker, dispatchId: string, message: FromAgent): Promise<void> {
    const { packId, instanceId } = await this.#agentOf(from.tenantId, dispatchId);
    if (packId !== from.packId || instanceId !== from.instanceId) throw notYours(dispatchId);
    if (message.case === "event" && message.value.payload.case === "toolInvoked") throw isOver(dispatchId);
  }

  async #event(from: Speaker, telling: Telling, event: Event): Promise<void> {
    const { pipelineId, dispatchId } = telling;
    const isNew = await this.#tellings.event(telling, event);
    if (isNew) await this.#hold(from, pipelineId, dispatchId, event);
  }

  async #turn(
    from: Speaker,
    { pipelineId, dispatchId }: Telling,
    { turnIndex, metadata }: TurnEnvelope,
    { isNew, stored }: KeptTurn,
  ): Promise<void> {
    await stored;
    const confidence = metadata?.confidence ?? 0;
    await this.#driver.give(pipelineId, { type: "turn", dispatchId, turnIndex, confidence });
    if (isNew && countsSteps(from)) await this.#steps(from, pipelineId, dispatchId);
  }

  /** Tools are held against the safety context when the kernel says that they count as used. */
  async #hold(from: Speaker, pipelineId: string, dispatchId: string, { payload }: Event): Promise<void> {
    const attempt = `${from.tenantId}\n${dispatchId}`;
    if (payload.case === "toolInvoked") {
      const { callId, tool: name, arguments: given = {} } = payload.value;
      const tool = { name, arguments: given };
      if (countsAsUsed(from, "invoked")) return this.#steps(from, pipelineId, dispatchId, tool);
      const asked = this.#asked.get(attempt) ?? new Map<string, UsedTool>();
      keep(asked, callId, tool, mostOpenCalls);
      keep(this.#asked, attempt, asked);
    }
    if (payload.case === "toolCompleted") {
      const { callId, status } = payload.value;
      const tool = this.#asked.get(attempt)?.get(callId);
      this.#asked.get(attempt)?.delete(callId);
      if (!tool || !countsAsUsed(from, status === ToolStatus.SUCCESS ? "succeeded" : "failed")) return;
      await this.#driver.give(pipelineId, { type: "steps", dispatchId, steps: 0, tool });
    }
  }

  /** A turn, or the use of a tool: whether the agent may is the kernel's to say (DIS-16). */
  async #steps(
    { tenantId }: Address,
    pipelineId: string,
    dispatchId: string,
    tool?: UsedTool,
  ): Promise<void> {
    const attempt = `${tenantId}\n${dispatchId}`;
    const steps = (this.#taken.get(attempt) ?? 0) + 1;
    keep(this.#taken, attempt, steps);
    await this.#driver.give(pipelineId, { type: "steps", dispatchId, steps, ...(tool && { tool }) });
  }

  /** An agent begins to speak: of attempts that are over it may say again what it has said. */
  begin(saidIn: SaidIn): void {
    this.#tellings.begin(saidIn);
  }

  /** The agent has come back with the attempt: it may say again what it has said. */
  mayRepeat({ tenantId }: Pick<Address, "tenantId">, dispatchId: string): void {
    const attempt = { tenantId, dispatchId };
    this.#tellings.mayRepeat(attempt, this.#switchboard.isUnderWay(attempt));
  }

  /** Calls of tools that an earlier life of the hub heard begin. */
  recall(calls: readonly CallRow[]): void {
    this.#tellings.recall(calls, (call) => this.#switchboard.isUnderWay(call));
  }

  /** What an earlier life of the hub held back of what agents told. */
  recallHeld(rows: readonly HeldRow[]): void {
    this.#tellings.recallHeld(rows, (row) => this.#switchboard.isUnderWay(row));
  }

  /** The attempt is over: what was begun of it is ended or dropped. */
  forget({ tenantId }: Pick<Address, "tenantId">, dispatchId: string): void {
    this.#taken.delete(`${tenantId}\n${dispatchId}`);
    this.#asked.delete(`${tenantId}\n${dispatchId}`);
    this.#tellings.forget({ tenantId, pipelineId: pipelineOf(dispatchId), dispatchId });
  }

  /** Of another tenant and of nobody: the answer is the same. */
  async #pipeline({ tenantId }: Address, dispatchId: string): Promise<PipelineState> {
    const pipelineId = pipelineOf(dispatchId);
    const state = this.#driver.inMemory(pipelineId) ?? (await this.#driver.pipelineInTime(pipelineId));
    if (state?.tenantId !== tenantId) throw notYours(dispatchId);
    return state;
  }
}

/** Whether it was ever sent, to any agent. A rewind takes attempts back, and their numbers stay used (TUR-08). */
function hasAttempt({ plan, stages }: PipelineState, dispatchId: string): boolean {
  const stageId = stageOf(dispatchId);
  const attempt = Number(dispatchId.slice(dispatchId.lastIndexOf("/") + 1));
  const stage = stages[plan.stages.findIndex(({ id }) => id === stageId)];
  if (!stage || !Number.isInteger(attempt)) return false;
  return attempt >= 1 && attempt <= Math.max(stage.attempt, stage.usedUpTo);
}

function notYours(dispatchId: string): HubError {
  return new HubError("not-found", "BATON-AGENT-002", `there is no attempt "${dispatchId}" of this agent`, {
    fix: "answer with the dispatch_id of the envelope",
  });
}

function isOver(dispatchId: string): HubError {
  return new HubError("precondition", "BATON-AGENT-007", `the attempt "${dispatchId}" is over`, {
    fix: "stop, and call no tool any more for it",
  });
}

/** The message, when it keeps the rules of the contract. */
export function accept<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  moment?: Moment,
): MessageShape<Desc> {
  try {
    assertValid(schema, message, moment);
    return message;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { code, message: text, fix, violations } = toErrorDetail(error);
    throw new HubError("invalid", code, text, { fix, violations, cause: error });
  }
}

export function fleetRefusal({ code, at, message, fix }: FleetProblem): HubError {
  const violations = at ? [{ field: at, rule: code, message }] : [];
  return new HubError(kinds[code] ?? "precondition", code, message, { fix, violations });
}

const kinds: Partial<Record<FleetProblem["code"], "invalid" | "not-found" | "exhausted">> = {
  "BATON-FLEET-001": "invalid",
  "BATON-FLEET-005": "not-found",
  "BATON-FLEET-006": "exhausted",
};
