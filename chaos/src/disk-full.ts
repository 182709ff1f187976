import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Chance } from "./chance.ts";
import { checkStore } from "./checks/store.ts";
import type { Figures } from "./figures.ts";
import { HubSupervisor } from "./hub-supervisor.ts";
import { limits } from "./limits.ts";
import { submissionOf } from "./load/scenarios.ts";
import { awaitEnds } from "./recovery.ts";
import { type Scene, setScene } from "./scene.ts";
import type { Violations } from "./violations.ts";

/** Mounts in a namespace of its own disappear with the process, and need no privileges. */
const inNamespace = ["unshare", "-Urm"];

function canMount(): boolean {
  const [command = "", ...args] = inNamespace;
  return spawnSync(command, [...args, "mount", "-t", "tmpfs", "tmpfs", "/tmp"]).status === 0;
}

export interface DiskParts {
  readonly chance: Chance;
  readonly figures: Figures;
  readonly violations: Violations;
  readonly compileCache: string;
}

/** Fills the disk of a working hub and frees it again: the hub reports it, accepts nothing, and then continues. */
export async function runDiskFull(parts: DiskParts): Promise<void> {
  const { figures, violations } = parts;
  if (!canMount()) {
    figures.skipped.push("the disk full, because no small disk can be mounted here");
    return;
  }
  const mount = `mount -t tmpfs -o size=${limits.diskBytes} tmpfs "$CHAOS_DATA" && exec "$@"`;
  const scene = await setScene({
    ...parts,
    agents: [{ pack: "worker", instances: 1 }],
    under: [...inNamespace, "sh", "-c", mount, "sh"],
    storeMayFail: true,
  });
  const supervisor = new HubSupervisor(scene, parts);
  try {
    const hub = await supervisor.start();
    await Promise.all(scene.agents.map(({ attached }) => attached));
    await Promise.all(Array.from({ length: limits.diskPipelines }, () => scene.load.submit("slow")));
    await hub.ask({ kind: "fill" }, "filled");
    figures.fault("the disk full");
    const late = scene.load.submit("three stages");
    late.catch(() => {}); // Awaited below, unless the hub ends first.
    await checkRefusal(scene, violations);
    await pause(limits.fullMs);
    await hub.ask({ kind: "make room" }, "room");
    await late;
    await awaitEnds(scene, violations);
    await scene.hooks.check(scene.ledger, figures, violations);
    const copy = join(scene.folder, "copy");
    await supervisor.stop(copy);
    await scene.leave();
    figures.acknowledged += scene.ledger.all.length;
    await checkStore(copy, { ...scene.seen(), figures, violations });
  } finally {
    await supervisor.hub?.kill();
    await scene.leave();
    scene.remove();
  }
}

/** While the disk is full a submission is refused with the reason, and leaves nothing behind. */
async function checkRefusal({ api }: Scene, violations: Violations): Promise<void> {
  const request = submissionOf("one stage", "chaos-while-full");
  const outcome = await api.orchestrator.submitTask(request).then(
    () => "taken",
    (error: unknown) => error,
  );
  violations.check(
    outcome instanceof ConnectError && outcome.code === Code.Unavailable,
    "a hub that cannot store refuses submissions",
    () => String(outcome),
  );
}
