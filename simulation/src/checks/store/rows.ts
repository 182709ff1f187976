import { AuditEntrySchema } from "@baton/contract";
import type { Batch, StoredCommand } from "@baton/runtime";
import { fromBinary } from "@bufbuild/protobuf";
import type { Command } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import type { ReadTransition } from "./batch.ts";

interface OrderedCommand {
  readonly pipelineId: string;
  readonly command: Command;
}

/** Commands, timers and the number of events in the store, tracked from the batches alone. */
export class Rows {
  /** Commands without a recorded completion. */
  readonly outbox = new Map<number, StoredCommand>();
  /** The same, decoded. */
  readonly #commands = new Map<number, OrderedCommand>();
  /** By pipeline and timer: when it fires. */
  readonly #timers = new Map<string, Map<string, number>>();
  lastEvent = 0n;
  /** Every command ever stored, such as "send p1/s0/1". */
  readonly #ordered = new Set<string>();
  /** Rationales of refused results that match no attempt. */
  readonly #unmatched: string[] = [];
  #lastCommandId = 0;

  get timerCount(): number {
    let count = 0;
    for (const timers of this.#timers.values()) count += timers.size;
    return count;
  }

  timersOf(pipelineId: string): ReadonlyMap<string, number> {
    return this.#timers.get(pipelineId) ?? new Map();
  }

  /** Whether a command of this type was ever stored for a dispatch, or for none. */
  hasOrdered(type: Command["type"], about: string): boolean {
    return this.#ordered.has(`${type} ${about}`);
  }

  /** Whether the audit record has a refused result that names the dispatch. */
  hasUnmatched(dispatchId: string): boolean {
    return this.#unmatched.some((reason) => reason.includes(JSON.stringify(dispatchId)));
  }

  /** After a start, command ids continue above those in the outbox. */
  beginLife(): void {
    this.#lastCommandId = Math.max(0, ...this.outbox.keys());
  }

  *commandsOf(pipelineId: string): Iterable<Command> {
    for (const one of this.#commands.values()) if (one.pipelineId === pipelineId) yield one.command;
  }

  /** Returns the completed commands. */
  take(
    { completedCommands, firedTimers, events, audit }: Batch,
    transitions: readonly ReadTransition[],
  ): readonly OrderedCommand[] {
    for (const { lastSequence } of events) this.lastEvent = lastSequence;
    for (const { pipelineId, eventType, entry } of audit)
      if (pipelineId === "" && eventType === "RESULT_INVALID")
        this.#unmatched.push(fromBinary(AuditEntrySchema, entry).rationale);
    const completed = completedCommands.flatMap((id) => this.#commands.get(id) ?? []);
    for (const id of completedCommands) {
      this.outbox.delete(id);
      this.#commands.delete(id);
    }
    for (const { pipelineId, timerId, atMs } of firedTimers) {
      const timers = this.#timers.get(pipelineId);
      if (timers?.get(timerId) === atMs) timers.delete(timerId);
    }
    this.#number(transitions.flatMap(({ transition }) => transition.commands.map(({ id }) => id)));
    for (const stored of transitions) this.#move(stored);
    return completed;
  }

  /** Ids grow from batch to batch; within one they are grouped by pipeline. */
  #number(ids: readonly number[]): void {
    invariant(
      new Set(ids).size === ids.length && ids.every((id) => id > this.#lastCommandId),
      "command ids grow",
      () => `${ids.join(", ")} come after ${this.#lastCommandId}`,
    );
    this.#lastCommandId = Math.max(this.#lastCommandId, ...ids);
  }

  #move({ transition, commands }: ReadTransition): void {
    const { pipelineId, timersSet, timersCleared, row } = transition;
    for (const [place, stored] of transition.commands.entries()) {
      this.outbox.set(stored.id, stored);
      const command = commands[place];
      if (command) this.#commands.set(stored.id, { pipelineId, command });
    }
    for (const command of commands) this.#ordered.add(nameOf(command));
    const timers = this.#timers.get(pipelineId) ?? new Map<string, number>();
    this.#timers.set(pipelineId, timers);
    for (const { timerId, atMs } of timersSet) timers.set(timerId, atMs);
    for (const timerId of timersCleared) timers.delete(timerId);
    invariant(
      !row.ended || timers.size === 0,
      "no timer row outlives its pipeline",
      () => `${pipelineId} has ended with ${[...timers.keys()].join(", ")}`,
    );
  }
}

function nameOf(command: Command): string {
  return `${command.type} ${"dispatchId" in command ? command.dispatchId : ""}`;
}
