import { type Command, dayOf, monthStartOf, type PipelineState } from "@baton/kernel";
import { readCommand } from "../journal/codec.ts";
import { ContentFinder } from "../journal/contents.ts";
import type {
  DaySpend,
  FleetRow,
  JournalStore,
  StoredCommand,
  StoredJournal,
  StoredTimer,
  TenantHead,
} from "../ports/store.ts";
import { type PendingCommand, storedKinds } from "../ports/stored-command.ts";
import { Committer } from "./committer.ts";
import type { Kernel } from "./kernel.ts";
import type { Fleets } from "./state/fleets.ts";
import { replayJournal } from "./state/pipelines.ts";

/** Everything that an engine needs to continue. */
export interface Recovered {
  readonly lastBatch: number;
  readonly heads: readonly TenantHead[];
  readonly states: readonly PipelineState[];
  readonly fleet: readonly FleetRow[];
  /** The spending of tenants in the current month, by day. */
  readonly spent: readonly DaySpend[];
  readonly timers: readonly StoredTimer[];
  /** Commands of the outbox. */
  readonly commands: readonly PendingCommand[];
  readonly lastCommandId: number;
}

export async function recover(
  store: JournalStore,
  evolve: Kernel["evolve"],
  nowMs: number,
): Promise<Recovered> {
  const heads = await store.heads();
  const lastBatch = await Committer.lastStored(store);
  const outbox = await store.outbox();
  const storedOf = Map.groupBy(outbox, ({ pipelineId }) => pipelineId);
  const states: PipelineState[] = [];
  const commands: PendingCommand[] = [];
  const replay = (journal: StoredJournal): PipelineState | undefined => {
    const state = replayJournal(journal, evolve);
    const stored = storedOf.get(journal.pipelineId);
    if (state && stored) commands.push(...pendingCommands(state, stored, journal));
    storedOf.delete(journal.pipelineId);
    return state;
  };
  for await (const journals of store.openJournals()) {
    for (const journal of journals) {
      const state = replay(journal);
      if (state) states.push(state);
    }
  }
  // A pipeline that has ended may have commands left, such as the cancellation of an attempt.
  for (const pipelineId of [...storedOf.keys()]) {
    const journal = await store.journal(pipelineId);
    if (journal) replay(journal);
  }
  const fleet: FleetRow[] = [];
  for await (const rows of store.fleet()) fleet.push(...rows);
  return {
    lastBatch,
    heads,
    states,
    fleet,
    spent: await store.spentSince(monthStartOf(dayOf(nowMs))),
    timers: await store.timers(),
    commands: commands.sort((a, b) => a.id - b.id),
    lastCommandId: outbox.reduce((last, { id }) => Math.max(last, id), 0),
  };
}

/** Pipelines that the hub did not pause or resume with their tenant before it stopped. */
export function pipelinesBehindTheirTenant(
  fleets: Fleets,
  states: readonly PipelineState[],
): readonly string[] {
  const behind = states.filter(({ tenantId, life }) => {
    const isStopped = fleets.state(tenantId).halt !== undefined;
    return isStopped ? life.status === "RUNNING" : life.status === "PAUSED" && life.halted;
  });
  return behind.map(({ id }) => id);
}

function pendingCommands(
  { tenantId, traceId, id: pipelineId }: PipelineState,
  commands: readonly StoredCommand[],
  { contents }: StoredJournal,
): readonly PendingCommand[] {
  const finder = new ContentFinder(contents);
  return commands.flatMap(({ id, text }) => {
    const command = readCommand(text, finder);
    return isStoredKind(command) ? [{ id, tenantId, pipelineId, traceId, command, again: true }] : [];
  });
}

function isStoredKind(command: Command): command is PendingCommand["command"] {
  return storedKinds.some((kind) => kind === command.type);
}
