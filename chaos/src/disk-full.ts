import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Chance } from "./chance.ts";
import { checkStore } from "./checks/store.ts";
import type { Figures } from "./figures.ts";
import { Lives } from "./hub-supervisor.ts";
import { limits } from "./limits.ts";
import { submissionOf } from "./load/scenarios.ts";
import { calmDown } from "./recovery.ts";
import { type Scene, setScene } from "./scene.ts";
import type { Violations } from "./violations.ts";

/** Mounts of a process in a namespace of its own go away with it, and need no rights. */
const apart = ["unshare", "-Urm"];

function canMount(): boolean {
  const [command = "", ...args] = apart;
  return spawnSync(command, [...args, "mount", "-t", "tmpfs", "tmpfs", "/tmp"]).status === 0;
}

export interface DiskParts {
  readonly chance: Chance;
  readonly figures: Figures;
  readonly violations: Violations;
  readonly compileCache: string;
}

/** A hub whose disk fills up while it works, and has room again: it says so, takes nothing, and then goes on. */
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
    under: [...apart, "sh", "-c", mount, "sh"],
    storeMayFail: true,
  });
  const lives = new Lives(scene, parts);
  try {
    const hub = await lives.begin();
    await Promise.all(scene.agents.map(({ attached }) => attached));
    await Promise.all(Array.from({ length: limits.diskPipelines }, () => scene.load.submit("slow")));
    await hub.ask({ kind: "fill" }, "filled");
    figures.fault("the disk full");
    const late = scene.load.submit("three stages");
    late.catch(() => {}); // Looked at below, unless the hub ends before.
    await checkRefusal(scene, violations);
    await pause(limits.fullMs);
    await hub.ask({ kind: "make room" }, "room");
    await late;
    await calmDown(scene, violations);
    const copy = join(scene.folder, "copy");
    await lives.stop(copy);
    await scene.leave();
    figures.acknowledged += scene.ledger.all.length;
    await checkStore(copy, { ...scene.told(), figures, violations });
  } finally {
    await lives.hub?.kill();
    await scene.leave();
    scene.remove();
  }
}

/** While the disk is full a submission is refused with the reason, and nothing of it is there afterwards. */
async function checkRefusal({ api }: Scene, violations: Violations): Promise<void> {
  const request = submissionOf("one stage", "chaos-while-full");
  const outcome = await api.orchestrator.submitTask(request).then(
    () => "taken",
    (error: unknown) => error,
  );
  violations.demand(
    outcome instanceof ConnectError && outcome.code === Code.Unavailable,
    "a hub that cannot store does not say that it has",
    () => String(outcome),
  );
}
