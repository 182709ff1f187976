import { hash } from "node:crypto";
import { AuditEntrySchema } from "@baton/contract";
import type { Store } from "@baton/runtime";
import { replayJournal } from "@baton/runtime/parts";
import { fromBinary } from "@bufbuild/protobuf";
import type { Checker } from "../checks/checker.ts";
import type { Disk } from "../hub/failing-store.ts";
import type { HubSupervisor } from "../hub/hub-supervisor.ts";
import { type Kernel, verifyChain } from "../kernel.ts";
import type { Outside } from "../outside/outside.ts";
import type { Watcher } from "../outside/watcher.ts";
import { tenantId } from "../sim.ts";
import { invariant } from "../violation.ts";

/** What the hub still has to do for ended pipelines, if anything. */
export function findLeftover(
  { current }: HubSupervisor,
  { rows, fleet: { unreportedLosses } }: Checker,
  watcher: Watcher,
  outside: Outside,
): string | undefined {
  if (!current) return "no hub is running";
  const { engine, connections } = current.hub;
  if (engine.unavailableReason !== undefined) return `the hub is unavailable: ${engine.unavailableReason}`;
  const [command] = rows.outbox.values();
  if (command) return `command ${command.id} of ${command.pipelineId} is not completed`;
  if (rows.timerCount > 0) return "a timer is still set";
  if (watcher.last !== rows.lastEvent) return `the watcher has ${watcher.last} of ${rows.lastEvent} events`;
  const [busy] = current.fleet.dispatches.keys();
  if (busy !== undefined) return `an agent is still busy with ${busy}`;
  for (const address of outside.addresses) {
    const [underWay] = connections.underWay(address);
    if (underWay !== undefined) return `the hub believes that ${address.instanceId} works on ${underWay}`;
  }
  const [lost] = unreportedLosses;
  if (lost !== undefined) return `the loss of ${lost} was not reported to its pipeline`;
  if (current.waiting > 0) return `${current.waiting} calls of the hub are not answered`;
  if (outside.unacknowledged > 0) return `${outside.unacknowledged} messages of agents are not acknowledged`;
  return undefined;
}

/** The store at the end: nothing left to do, the states that were seen, and a complete audit record. */
export async function checkDisk({ store }: Disk, checker: Checker, { evolve }: Kernel): Promise<void> {
  const [commands, timers] = [await store.outbox(), await store.timers()];
  invariant(
    commands.length + timers.length === 0,
    "nothing is left to do for ended pipelines",
    () => `${commands.length} commands and ${timers.length} timers are stored`,
  );
  for (const pipelineId of checker.states.keys()) {
    const journal = await store.journal(pipelineId);
    checker.checkReplayed(pipelineId, journal && replayJournal(journal, evolve));
  }
  if (checker.isThorough) await checkChain(store);
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
  invariant(verified.valid, "the audit record verifies", () => JSON.stringify(verified));
}
