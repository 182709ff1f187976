import { hash } from "node:crypto";
import { AuditEntrySchema } from "@baton/contract";
import type { Store } from "@baton/runtime";
import { replayJournal } from "@baton/runtime/parts";
import { fromBinary } from "@bufbuild/protobuf";
import type { Watch } from "../checks/checker.ts";
import type { Disk } from "../hub/failing-store.ts";
import type { Lives } from "../hub/hub-supervisor.ts";
import { type Kernel, verifyChain } from "../kernel.ts";
import type { Surroundings } from "../outside/outside.ts";
import type { Watcher } from "../outside/watcher.ts";
import { tenantId } from "../sim.ts";
import { demand } from "../violation.ts";

/** Why the hub is not done with what has ended; undefined when it is. */
export function findLeftover(
  { current }: Lives,
  { rows, fleet: { untold } }: Watch,
  watcher: Watcher,
  outside: Surroundings,
): string | undefined {
  if (!current) return "there is no hub";
  const { engine, connections } = current.hub;
  if (engine.unavailableReason !== undefined) return `the hub is away: ${engine.unavailableReason}`;
  const [command] = rows.outbox.values();
  if (command) return `command ${command.id} of ${command.pipelineId} is not crossed off`;
  if (rows.timerCount > 0) return "a timer is still set";
  if (watcher.last !== rows.lastEvent) return `of ${rows.lastEvent} events ${watcher.last} were shown`;
  const [busy] = current.fleet.dispatches.keys();
  if (busy !== undefined) return `an agent is still busy with ${busy}`;
  for (const address of outside.addresses) {
    const [underWay] = connections.underWay(address);
    if (underWay !== undefined) return `${address.instanceId} is believed to work on ${underWay}`;
  }
  const [lost] = untold;
  if (lost !== undefined) return `nobody was told that ${lost} is lost`;
  if (current.waiting > 0) return `${current.waiting} wait for an answer of the hub`;
  if (outside.unheard > 0) return `${outside.unheard} messages of agents are not acknowledged`;
  return undefined;
}

/** What is stored at the end: nothing left to do, the states that were seen, and a record that is whole. */
export async function checkDisk({ store }: Disk, watch: Watch, { evolve }: Kernel): Promise<void> {
  const [commands, timers] = [await store.outbox(), await store.timers()];
  demand(
    commands.length + timers.length === 0,
    "nothing is left to do for what has ended",
    () => `${commands.length} commands and ${timers.length} timers are stored`,
  );
  for (const pipelineId of watch.states.keys()) {
    const journal = await store.journal(pipelineId);
    watch.checkReplayed(pipelineId, journal && replayJournal(journal, evolve));
  }
  if (watch.isThorough) await checkChain(store);
}

async function checkChain(store: Store): Promise<void> {
  const rows = await store.auditEntries({
    tenantId,
    where: [],
    orderBy: [{ field: "sequence", descending: false }],
    after: undefined,
    limit: 10_000,
  });
  const entries = rows.map(({ entry }) => fromBinary(AuditEntrySchema, entry));
  const verified = verifyChain(entries, { tenantId, digest: (bytes) => hash("sha256", bytes, "buffer") });
  demand(verified.valid, "the audit record is whole", () => JSON.stringify(verified));
}
