import type { Command, PipelineState } from "@baton/kernel";
import { readCommand } from "../journal/codec.ts";
import { ContentFinder } from "../journal/contents.ts";
import type {
  FleetRow,
  Store,
  StoredCommand,
  StoredJournal,
  StoredTimer,
  TenantHead,
} from "../ports/store.ts";
import type { Kernel } from "./kernel.ts";
import { type Order, storedKinds } from "./order.ts";
import { replayJournal } from "./pipelines.ts";

/** Everything a driver has to know to go on. */
export interface Recovered {
  readonly heads: readonly TenantHead[];
  readonly states: readonly PipelineState[];
  readonly fleet: readonly FleetRow[];
  readonly timers: readonly StoredTimer[];
  /** What was stored and is not known to have been carried out. */
  readonly orders: readonly Order[];
  readonly lastCommandId: number;
}

export async function recover(store: Store, evolve: Kernel["evolve"]): Promise<Recovered> {
  const heads = await store.heads();
  const outbox = await store.outbox();
  const commandsOf = Map.groupBy(outbox, ({ pipelineId }) => pipelineId);
  const states: PipelineState[] = [];
  const orders: Order[] = [];
  const take = (journal: StoredJournal): PipelineState | undefined => {
    const state = replayJournal(journal, evolve);
    const commands = commandsOf.get(journal.pipelineId);
    if (state && commands) orders.push(...ordersOf(state, commands, journal));
    commandsOf.delete(journal.pipelineId);
    return state;
  };
  for await (const journals of store.openJournals()) {
    for (const journal of journals) {
      const state = take(journal);
      if (state) states.push(state);
    }
  }
  // A pipeline that has ended may still have somebody to tell, such as an agent that is to stop.
  for (const pipelineId of [...commandsOf.keys()]) {
    const journal = await store.journal(pipelineId);
    if (journal) take(journal);
  }
  const fleet: FleetRow[] = [];
  for await (const rows of store.fleet()) fleet.push(...rows);
  return {
    heads,
    states,
    fleet,
    timers: await store.timers(),
    orders: orders.sort((one, other) => one.id - other.id),
    lastCommandId: outbox.reduce((last, { id }) => Math.max(last, id), 0),
  };
}

function ordersOf(
  { tenantId, traceId, id: pipelineId }: PipelineState,
  commands: readonly StoredCommand[],
  { contents }: StoredJournal,
): readonly Order[] {
  const finder = new ContentFinder(contents);
  return commands.flatMap(({ id, text }) => {
    const command = readCommand(text, finder);
    return isStoredKind(command) ? [{ id, tenantId, pipelineId, traceId, command, again: true }] : [];
  });
}

function isStoredKind(command: Command): command is Order["command"] {
  return storedKinds.some((kind) => kind === command.type);
}
