import { AuditEntrySchema } from "@baton/contract";
import type { Batch, StoredCommand } from "@baton/runtime";
import { fromBinary } from "@bufbuild/protobuf";
import type { Command } from "../../kernel.ts";
import { demand } from "../../violation.ts";
import type { ReadTransition } from "./batch.ts";

interface OrderedCommand {
  readonly pipelineId: string;
  readonly command: Command;
}

/** Commands, timers and the count of events that are stored, kept a second time from the batches alone. */
export class Rows {
  /** Commands that are not known to be carried out. */
  readonly outbox = new Map<number, StoredCommand>();
  /** The same, read. */
  readonly #commands = new Map<number, OrderedCommand>();
  /** By pipeline: when each rings. */
  readonly #timers = new Map<string, Map<string, number>>();
  /** The last event that is stored. */
  lastEvent = 0n;
  /** What was ever ordered, as "send p1/s0/1". */
  readonly #ordered = new Set<string>();
  /** Why results that answer no attempt were refused. */
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

  /** Whether a command of this kind about this attempt, or about none, has been stored. */
  hasOrdered(type: Command["type"], about: string): boolean {
    return this.#ordered.has(`${type} ${about}`);
  }

  /** Whether the audit record has a result that names this dispatch, and answers no attempt. */
  hasUnmatched(dispatchId: string): boolean {
    return this.#unmatched.some((reason) => reason.includes(JSON.stringify(dispatchId)));
  }

  /** A hub has come up: its commands are numbered above those that are left. */
  beginLife(): void {
    this.#lastCommandId = Math.max(0, ...this.outbox.keys());
  }

  /** Commands that are not known to be carried out, of one pipeline. */
  *commandsOf(pipelineId: string): Iterable<Command> {
    for (const one of this.#commands.values()) if (one.pipelineId === pipelineId) yield one.command;
  }

  /** Returns the commands that were crossed off. */
  take(
    { completedCommands, firedTimers, events, audit }: Batch,
    transitions: readonly ReadTransition[],
  ): readonly OrderedCommand[] {
    for (const { lastSequence } of events) this.lastEvent = lastSequence;
    for (const { pipelineId, eventType, entry } of audit)
      if (pipelineId === "" && eventType === "RESULT_INVALID")
        this.#unmatched.push(fromBinary(AuditEntrySchema, entry).rationale);
    const crossedOff = completedCommands.flatMap((id) => this.#commands.get(id) ?? []);
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
    return crossedOff;
  }

  /** Within a batch they stand by pipeline; from batch to batch they grow. */
  #number(ids: readonly number[]): void {
    demand(
      new Set(ids).size === ids.length && ids.every((id) => id > this.#lastCommandId),
      "commands are stored in one order",
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
    demand(
      !row.ended || timers.size === 0,
      "no row of a timer outlives its pipeline",
      () => `${pipelineId} has ended with ${[...timers.keys()].join(", ")}`,
    );
  }
}

function nameOf(command: Command): string {
  return `${command.type} ${"dispatchId" in command ? command.dispatchId : ""}`;
}
