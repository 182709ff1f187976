import type { AttemptSpend, Command, PipelineState, Redactor } from "@baton/kernel";
import type { UnstoredEvent } from "../events/stored-events.ts";
import type {
  AuditRow,
  Batch,
  BatchId,
  CallRow,
  EventRow,
  FleetRow,
  HeldRow,
  NewKnowledge,
  SpendRow,
  StepRow,
  StoredTimer,
  TurnRow,
} from "../ports/store.ts";
import type { EgressFilter } from "../redaction/egress-filter.ts";
import type { EventRequest } from "./input.ts";
import type { Ledger } from "./state/ledger.ts";
import type { TenantSpending } from "./state/tenant-spending.ts";
import { type StateChange, TransitionDraft } from "./transition-draft.ts";

/** Collects the rows of a batch. */
export class BatchBuilder {
  readonly #ledger: Ledger;
  readonly #listing: Redactor;
  readonly #drafts = new Map<string, TransitionDraft>();
  readonly #fleet: FleetRow[] = [];
  readonly #audit: AuditRow[] = [];
  readonly #events = new Map<string, UnstoredEvent[]>();
  /** By pipeline and timer. */
  readonly #firedTimers = new Map<string, StoredTimer>();
  readonly #completedCommands: number[] = [];
  readonly #turns: TurnRow[] = [];
  readonly #callsBegun: CallRow[] = [];
  readonly #callsEnded: Pick<CallRow, "dispatchId" | "callId">[] = [];
  readonly #held: HeldRow[] = [];
  readonly #spend: SpendRow[] = [];
  readonly #steps: StepRow[] = [];
  readonly #knowledge: NewKnowledge[] = [];
  /** Timers set and cleared by the batch, in order. */
  readonly timerChanges: TimerChange[] = [];

  constructor(ledger: Ledger, filter: EgressFilter) {
    this.#ledger = ledger;
    this.#listing = filter.at("listing");
  }

  changed(pipelineId: string, change: StateChange): void {
    const draft =
      this.#drafts.get(pipelineId) ?? new TransitionDraft(change.before?.version ?? 0, this.#listing);
    this.#drafts.set(pipelineId, draft);
    draft.add(change);
  }

  /** Encodes the transition at once, so that a free store need not wait for it. */
  encode(pipelineId: string): void {
    this.#drafts.get(pipelineId)?.encode(pipelineId);
  }

  /** Puts the command into the outbox with the pipeline's records. */
  command(pipelineId: string, id: number, command: Command): void {
    const draft = this.#drafts.get(pipelineId);
    // An executed command that is not in the outbox would be lost in a crash.
    if (!draft) throw new Error(`"${command.type}" was decided without a record of it`);
    draft.commands.push({ id, command });
  }

  setTimer(timer: StoredTimer): void {
    const draft = this.#drafts.get(timer.pipelineId);
    draft?.cleared.delete(timer.timerId);
    draft?.timers.set(timer.timerId, timer);
    // A timer that fired too early stays stored.
    this.#firedTimers.delete(`${timer.pipelineId} ${timer.timerId}`);
    this.timerChanges.push({ kind: "set", timer });
  }

  clearTimer(pipelineId: string, timerId: string): void {
    const draft = this.#drafts.get(pipelineId);
    draft?.timers.delete(timerId);
    draft?.cleared.add(timerId);
    this.timerChanges.push({ kind: "clear", pipelineId, timerId });
  }

  fleet(rows: readonly FleetRow[]): void {
    this.#fleet.push(...rows);
  }

  audit(rows: readonly AuditRow[]): void {
    this.#audit.push(...rows);
  }

  events(tenantId: string, events: readonly UnstoredEvent[]): void {
    if (events.length === 0) return;
    const known = this.#events.get(tenantId);
    if (known) known.push(...events);
    else this.#events.set(tenantId, [...events]);
  }

  /** What an agent reported. */
  reported({ tenantId, events, joined, turn, callsBegun, callsEnded, held, ...about }: EventRequest): void {
    const { pipelineId, stageId, dispatchId } = about;
    this.events(
      tenantId,
      events.map((event) => {
        const parts = joined?.get(event.eventId);
        return { pipelineId, stageId, dispatchId, event, ...(parts && { joined: parts }) };
      }),
    );
    if (turn) this.#turns.push(turn);
    if (callsBegun) this.#callsBegun.push(...callsBegun);
    for (const callId of callsEnded ?? []) this.#callsEnded.push({ dispatchId, callId });
    if (held !== undefined) this.#held.push({ tenantId, pipelineId, dispatchId, text: held });
  }

  spend(state: PipelineState, spends: readonly AttemptSpend[], spending: TenantSpending): void {
    this.#spend.push(...spending.add(state, spends, (name) => this.#listing.redactText(name).text));
  }

  step(row: StepRow): void {
    this.#steps.push(row);
  }

  knowledge(rows: readonly NewKnowledge[]): void {
    this.#knowledge.push(...rows);
  }

  timerFired(timer: StoredTimer): void {
    this.#firedTimers.set(`${timer.pipelineId} ${timer.timerId}`, timer);
  }

  commandCompleted(commandId: number): void {
    this.#completedCommands.push(commandId);
  }

  build(id: BatchId, nowMs: number): Batch {
    const events: EventRow[] = [];
    for (const [tenantId, loose] of this.#events) {
      const row = this.#ledger.number(tenantId, loose, nowMs);
      if (row) events.push(row);
    }
    return {
      id,
      transitions: Array.from(this.#drafts.values(), ({ encoded }) => encoded),
      fleet: this.#fleet,
      audit: this.#audit,
      events,
      completedCommands: this.#completedCommands,
      firedTimers: [...this.#firedTimers.values()],
      turns: this.#turns,
      callsBegun: this.#callsBegun,
      callsEnded: this.#callsEnded,
      held: this.#held,
      spend: this.#spend,
      steps: this.#steps,
      knowledge: this.#knowledge,
    };
  }
}

export function isEmpty(batch: Batch): boolean {
  return (
    batch.transitions.length === 0 &&
    batch.fleet.length === 0 &&
    batch.audit.length === 0 &&
    batch.events.length === 0 &&
    batch.completedCommands.length === 0 &&
    batch.firedTimers.length === 0 &&
    batch.turns.length === 0 &&
    batch.callsBegun.length === 0 &&
    batch.callsEnded.length === 0 &&
    batch.held.length === 0 &&
    batch.spend.length === 0 &&
    batch.steps.length === 0 &&
    batch.knowledge.length === 0
  );
}

export type TimerChange =
  | { readonly kind: "set"; readonly timer: StoredTimer }
  | { readonly kind: "clear"; readonly pipelineId: string; readonly timerId: string };
