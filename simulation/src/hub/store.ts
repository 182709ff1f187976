import type { AuditEntry } from "@baton/contract";
import type { Command, FleetRecord, PipelineRecord } from "../kernel.ts";
import { demand } from "../violation.ts";

/** What was decided about one pipeline. */
export interface Journal {
  readonly records: PipelineRecord[];
  readonly audit: AuditEntry[];
}

/** A command that is not known to have been carried out. */
export interface OutboxEntry {
  readonly id: number;
  readonly pipelineId: string;
  readonly command: Command;
}

export interface TimerRow {
  readonly pipelineId: string;
  readonly timerId: string;
  readonly atMs: number;
}

/** All that survives a crash of the hub. Records, audit entries and commands of a decision are stored together. */
export class Store {
  readonly journals = new Map<string, Journal>();
  readonly outbox = new Map<number, OutboxEntry>();
  readonly timers = new Map<string, TimerRow>();
  /** Only those that the fleet says have to survive. */
  readonly fleet: FleetRecord[] = [];
  private commands = 0;

  append(
    pipelineId: string,
    expected: number,
    records: readonly PipelineRecord[],
    audit: readonly AuditEntry[],
    commands: readonly Command[],
  ): readonly OutboxEntry[] {
    const journal = this.journals.get(pipelineId) ?? { records: [], audit: [] };
    this.journals.set(pipelineId, journal);
    demand(
      journal.records.length === expected,
      "one writer",
      () => `${pipelineId} has ${journal.records.length} records, and ${expected} were expected`,
    );
    journal.records.push(...records);
    journal.audit.push(...audit);
    return commands.map((command) => {
      const entry = { id: this.commands++, pipelineId, command };
      this.outbox.set(entry.id, entry);
      return entry;
    });
  }

  confirm(entry: OutboxEntry): void {
    this.outbox.delete(entry.id);
  }

  /** A timer that is set twice is one timer. */
  setTimer(row: TimerRow): string {
    const key = timerKey(row.pipelineId, row.timerId);
    this.timers.set(key, row);
    return key;
  }

  dropTimer(pipelineId: string, timerId: string): void {
    this.timers.delete(timerKey(pipelineId, timerId));
  }
}

function timerKey(pipelineId: string, timerId: string): string {
  return `${pipelineId} ${timerId}`;
}
