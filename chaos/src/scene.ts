import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { lastingPort } from "@baton/contract/testing/lasting-port";
import { RepeatingAgent } from "./agents/repeating-agent.ts";
import type { Chance } from "./chance.ts";
import { readRuns, readSteps } from "./checks/runs.ts";
import type { Observed } from "./checks/store.ts";
import type { Figures } from "./figures.ts";
import { limits } from "./limits.ts";
import { type Api, openApi } from "./load/api.ts";
import { Ledger } from "./load/ledger.ts";
import { Load } from "./load/load.ts";
import { Person } from "./load/person.ts";
import { sdkWork } from "./load/scenarios.ts";
import { Watcher } from "./load/watcher.ts";
import { FaultyProxy } from "./network/faulty-proxy.ts";
import { HookTarget } from "./network/hook-target.ts";
import { AgentProcess } from "./processes/agent-process.ts";
import type { HubOptions } from "./processes/hub-process.ts";
import { makeScratch } from "./scratch.ts";
import type { Violations } from "./violations.ts";

export interface SceneOptions {
  readonly chance: Chance;
  readonly figures: Figures;
  readonly violations: Violations;
  /** The compile cache shared by all programs. */
  readonly compileCache: string;
  /** SDK agents, by pack. */
  readonly agents: readonly { readonly pack: string; readonly instances: number }[];
  /** A command that runs the hub. */
  readonly under?: readonly string[];
  /** Whether the hub may report that its store is unavailable. */
  readonly storeMayFail?: boolean;
}

/** Everything around the hub: a folder, the network, agents, people, load. */
export interface Scene {
  readonly folder: string;
  readonly place: HubOptions;
  readonly api: Api;
  readonly ledger: Ledger;
  readonly load: Load;
  readonly watcher: Watcher;
  readonly proxy: FaultyProxy;
  readonly hooks: HookTarget;
  readonly agents: readonly AgentProcess[];
  /** What clients and agents saw, for comparison with the store. */
  seen(): Pick<Observed, "acknowledged" | "runs" | "steps" | "watched">;
  /** Stops the load, the people and the agents. */
  leave(): Promise<void>;
  remove(): void;
}

export async function setScene(given: SceneOptions): Promise<Scene> {
  const { chance, figures, violations, compileCache, under, storeMayFail = false } = given;
  const { folder, remove } = makeScratch();
  const runsFolder = join(folder, "runs");
  for (const name of ["runs", "store"]) mkdirSync(join(folder, name));
  const [grpcPort, httpPort, proxyPort] = [await lastingPort(), await lastingPort(), await lastingPort()];
  const hub = `http://127.0.0.1:${proxyPort}`;
  const proxy = await FaultyProxy.start(proxyPort, grpcPort, {
    onCut: () => figures.fault("a connection cut in the middle of a message"),
    onDelay: () => figures.fault("a message delayed"),
  });
  const hooks = await HookTarget.open(figures);
  const api = openApi(`http://127.0.0.1:${grpcPort}`);
  const ledger = new Ledger((invariant, detail) => violations.add(invariant, detail));
  const watcher = new Watcher(api, violations);
  const repeater = new RepeatingAgent(hub, chance.branch(), figures);
  const person = new Person(api, ledger, { chance: chance.branch(), figures, violations });
  const clockShiftMs = drawClockShifts(chance.branch(), figures);
  const agents = given.agents.flatMap(({ pack, instances }) =>
    Array.from({ length: instances }, (_, index) => {
      const instanceId = `${pack}-${index + 1}`;
      const runs = join(runsFolder, instanceId);
      const logFile = join(folder, "agents.log");
      const onEnd = (how: string) =>
        violations.add("an agent keeps running", `${instanceId} ended with ${how}`);
      return new AgentProcess({
        pack,
        instanceId,
        taskTypes: sdkWork,
        hub,
        runs,
        logFile,
        compileCache,
        clockShiftMs,
        onEnd,
      });
    }),
  );
  return {
    folder,
    place: {
      ...{ data: join(folder, "store"), grpcPort, httpPort, compileCache, ...(under && { under }) },
      allowedHost: `127.0.0.1:${proxyPort}`,
      hookUrl: hooks.url,
      logFile: join(folder, "hub.log"),
      onProblem: ({ message, ofStore }) => {
        if (!ofStore || !storeMayFail) violations.add("the hub reports no problem", message);
      },
    },
    ...{ api, ledger, proxy, hooks, agents },
    load: new Load({ api, ledger, chance: chance.branch(), figures, violations }),
    watcher,
    seen: () => ({
      acknowledged: ledger.all,
      runs: [...readRuns(runsFolder), ...repeater.runs],
      steps: readSteps(runsFolder),
      watched: (pipelineId) => watcher.of(pipelineId),
    }),
    async leave() {
      api.close();
      await Promise.all([person.gone, repeater.close(), ...agents.map((agent) => agent.kill())]);
      await proxy.close();
      hooks.close();
    },
    remove,
  };
}

/** The clock shift of each agent that starts: the first ahead, the second behind, then random. */
export function drawClockShifts(chance: Chance, figures: Figures): () => number {
  const first = [limits.jumpMs, -limits.jumpMs];
  return () => {
    const shiftMs = first.shift() ?? chance.pick([0, limits.jumpMs, -limits.jumpMs]);
    if (shiftMs > 0) figures.fault("an agent's clock an hour ahead");
    if (shiftMs < 0) figures.fault("an agent's clock an hour back");
    return shiftMs;
  };
}
