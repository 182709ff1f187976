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
  type Conduct,
  countsAsUsed,
  countsSteps,
  type FleetProblem,
  type PipelineState,
  RedactionFailure,
  type Redactor,
} from "@baton/kernel";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Driver } from "../driver/driver.ts";
import { pipelineOf, stageOf } from "../driver/order.ts";
import type { Filter } from "../filter/filter.ts";
import { HubError } from "../hub/hub-error.ts";
import type { Store } from "../ports/store.ts";
import type { Address } from "./address.ts";
import { turnRow } from "./keep-turn.ts";
import type { Switchboard } from "./switchboard.ts";
import { ToldStreams } from "./told-streams.ts";

/** What agents tell while they work, whichever way it comes in. */
export type FromAgent =
  | { readonly case: "turn"; readonly value: TurnEnvelope }
  | { readonly case: "event"; readonly value: Event }
  | { readonly case: "result"; readonly value: AgentResult };

/** Attempts whose steps are counted at the same time; beyond, not those that began first. */
const attemptsCounted = 200_000;
/** Calls of one attempt that have not ended. */
const openCalls = 64;

function keep<Value>(kept: Map<string, Value>, key: string, value: Value, most = attemptsCounted): void {
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
}

/** An agent that speaks. */
export interface Speaker extends Address, Conduct {}

export interface DeskParts {
  readonly driver: Driver;
  readonly switchboard: Switchboard;
  readonly store: Pick<Store, "hasTurn">;
  readonly filter: Filter;
  readonly uuid: () => string;
}

/** Takes what agents say. An agent speaks only of its own attempts. */
export class AgentDesk {
  readonly #driver: Driver;
  readonly #switchboard: Switchboard;
  readonly #events: Redactor;
  readonly #streams: ToldStreams;
  /** Steps by attempt, since the hub began: what an agent says of them itself comes with its result. */
  readonly #taken = new Map<string, number>();
  /** Calls of those that restrain themselves, by attempt and call, until they are told to have ended. */
  readonly #asked = new Map<string, Map<string, UsedTool>>();

  /** Turns that are on their way to the store, by attempt and index. */
  readonly #keeping = new Set<string>();
  readonly #hasTurn: (dispatchId: string, turnIndex: number) => Promise<boolean>;

  constructor({ driver, switchboard, store, filter, uuid }: DeskParts) {
    this.#driver = driver;
    this.#switchboard = switchboard;
    // When it cannot say, it is away: what is given to it meanwhile waits, and it keeps a turn once.
    this.#hasTurn = (dispatchId, turnIndex) => store.hasTurn(dispatchId, turnIndex).catch(() => false);
    this.#events = filter.at("event");
    this.#streams = new ToldStreams(this.#events, uuid);
  }

  /** Resolves when it is durable. Throws `HubError` when it will never be taken. */
  async take(from: Speaker, dispatchId: string, message: FromAgent): Promise<void> {
    if (this.#switchboard.isElsewhere(from, dispatchId)) throw notYours(dispatchId);
    const state = await this.#pipeline(from, dispatchId);
    const { id: pipelineId } = state;
    // What a result of no attempt is worth, the kernel says; nothing else is kept of one.
    if (message.case !== "result" && !hasAttempt(state, dispatchId)) throw notYours(dispatchId);
    switch (message.case) {
      case "result": {
        await this.#publish(from, pipelineId, dispatchId, (attempt) => this.#streams.end(attempt));
        // Whether it is valid the kernel decides: an invalid one counts against the agent.
        const answer = { kind: "result", result: message.value } as const;
        await this.#driver.give(pipelineId, { type: "result", dispatchId, answer });
        return;
      }
      case "turn": {
        const turn = accept(TurnEnvelopeSchema, message.value);
        const { turnIndex, metadata } = turn;
        const confidence = metadata?.confidence ?? 0;
        const isNew = await this.#keepTurn(from, pipelineId, dispatchId, turn);
        await this.#driver.give(pipelineId, { type: "turn", dispatchId, turnIndex, confidence });
        if (isNew && countsSteps(from)) await this.#steps(from, pipelineId, dispatchId);
        return;
      }
      case "event": {
        const event = accept(EventSchema, message.value);
        await this.#publish(from, pipelineId, dispatchId, (attempt) => this.#streams.take(attempt, event));
        await this.#hold(from, pipelineId, dispatchId, event);
      }
    }
  }

  /**
   * It is durable before anybody is told of it (TUR-02). One that was kept before, by an earlier life of the hub or from a
   * connection that was lost, is not told again. Whether it is new.
   */
  async #keepTurn(
    from: Speaker,
    pipelineId: string,
    dispatchId: string,
    turn: TurnEnvelope,
  ): Promise<boolean> {
    const { tenantId, packId } = from;
    const key = `${dispatchId}\n${turn.turnIndex}`;
    if (this.#keeping.has(key)) return false;
    this.#keeping.add(key);
    try {
      if (await this.#hasTurn(dispatchId, turn.turnIndex)) return false;
      const place = { tenantId, pipelineId, dispatchId, packId, atMs: this.#driver.nowMs };
      const { eventId, events } = this.#passOn(`${tenantId}\n${dispatchId}`, pipelineId, turn);
      const row = turnRow(turn, place, eventId);
      const stageId = stageOf(dispatchId);
      await this.#driver.publish({ tenantId, pipelineId, stageId, dispatchId, events, turn: row });
      return true;
    } finally {
      this.#keeping.delete(key);
    }
  }

  /** What cannot be redacted is not shown; it is kept all the same, where nobody is shown it. */
  #passOn(attempt: string, sessionId: string, turn: TurnEnvelope) {
    try {
      const { eventId, events } = this.#streams.turn(attempt, sessionId, turn);
      return {
        eventId,
        events: events.map((event) => this.#events.redactMessage(EventSchema, event).message),
      };
    } catch (error) {
      if (!(error instanceof RedactionFailure)) throw error;
      return { eventId: "", events: [] };
    }
  }

  /** Tools are held against the safety context when the kernel says that they count as used. */
  async #hold(from: Speaker, pipelineId: string, dispatchId: string, { payload }: Event): Promise<void> {
    const attempt = `${from.tenantId}\n${dispatchId}`;
    if (payload.case === "toolInvoked") {
      const { callId, tool: name, arguments: given = {} } = payload.value;
      const tool = { name, arguments: given };
      if (countsAsUsed(from, "invoked")) return this.#steps(from, pipelineId, dispatchId, tool);
      const asked = this.#asked.get(attempt) ?? new Map<string, UsedTool>();
      keep(asked, callId, tool, openCalls);
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

  /** The attempt is over: what was begun of its streams is dropped. */
  forget({ tenantId }: Pick<Address, "tenantId">, dispatchId: string): void {
    this.#taken.delete(`${tenantId}\n${dispatchId}`);
    this.#asked.delete(`${tenantId}\n${dispatchId}`);
    this.#streams.forget(`${tenantId}\n${dispatchId}`);
  }

  /** Everybody who watches may see it, so it is stored without secrets (TUR-03). What fails to be redacted is refused. */
  async #publish(
    { tenantId }: Address,
    pipelineId: string,
    dispatchId: string,
    tell: (attempt: string) => readonly Event[],
  ): Promise<void> {
    const stageId = stageOf(dispatchId);
    const events = refuseUnredacted(() =>
      tell(`${tenantId}\n${dispatchId}`).map(
        (event) => this.#events.redactMessage(EventSchema, event).message,
      ),
    );
    if (events.length > 0) {
      await this.#driver.publish({ tenantId, pipelineId, stageId, dispatchId, events });
    }
  }

  /** Of another tenant and of nobody: the answer is the same. */
  async #pipeline({ tenantId }: Address, dispatchId: string): Promise<PipelineState> {
    const state = await this.#driver.pipelineInTime(pipelineOf(dispatchId));
    if (state?.tenantId !== tenantId) throw notYours(dispatchId);
    return state;
  }
}

/** Whether it was ever sent, to whomever. */
function hasAttempt({ plan, stages }: PipelineState, dispatchId: string): boolean {
  const stageId = stageOf(dispatchId);
  const attempt = Number(dispatchId.slice(dispatchId.lastIndexOf("/") + 1));
  const stage = stages[plan.stages.findIndex(({ id }) => id === stageId)];
  return Number.isInteger(attempt) && attempt >= 1 && attempt <= (stage?.attempt ?? 0);
}

function refuseUnredacted<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RedactionFailure)) throw error;
    throw new HubError("internal", error.code, `it is not taken: ${error.message}`, {
      fix: "send less at once; if that is not it, ask whoever runs the hub to look into its log",
    });
  }
}

function notYours(dispatchId: string): HubError {
  return new HubError("not-found", "BATON-AGENT-002", `there is no attempt "${dispatchId}" of this agent`, {
    fix: "answer with the dispatch_id of the envelope",
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
