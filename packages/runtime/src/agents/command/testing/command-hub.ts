import { readdir, readFile } from "node:fs/promises";
import {
  type AgentInstance,
  type Event,
  ListAgentsRequestSchema,
  ListAuditEntriesRequestSchema,
  type Pipeline,
  type PipelineStatus,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { testPolicy } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { onTestFinished } from "vitest";
import { ada, read, testHub } from "../../../../testing/test-hub.ts";
import type { ConfigurableHub, HubParts } from "../../../compose/create-hub.ts";
import type { CommandPack } from "../settings.ts";

/** A hub whose agents are these commands. It closes with the test, and every command with it. */
export async function hubWith(
  packs: readonly CommandPack[],
  parts: Partial<HubParts> = {},
): Promise<ConfigurableHub> {
  const policy = testPolicy({ requireHealthy: false });
  const hub = await testHub({ policy, ...parts, commands: { ...parts.commands, packs } });
  onTestFinished(() => hub.drain(0));
  return hub;
}

/** Waits as long as it takes: processes are started, on a machine that may be busy. */
export async function reaches(
  hub: ConfigurableHub,
  pipelineId: string,
  ...statuses: PipelineStatus[]
): Promise<Pipeline> {
  for (;;) {
    const pipeline = await read(hub, pipelineId);
    if (statuses.includes(pipeline.status)) return pipeline;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function agentsOf(hub: ConfigurableHub): Promise<readonly AgentInstance[]> {
  return (await hub.listAgents(ada, create(ListAgentsRequestSchema))).agents;
}

/** What the hub shows of a pipeline, up to its end. */
export async function eventsOf(
  hub: ConfigurableHub,
  pipelineId: string,
): Promise<readonly Event["payload"][]> {
  const enough = new AbortController();
  const request = create(WatchEventsRequestSchema, {
    filter: `pipeline_id = "${pipelineId}"`,
    afterSequence: 0n,
  });
  const seen: Event["payload"][] = [];
  for await (const { message } of hub.watchEvents(ada, request, enough.signal)) {
    const payload = message.case === "record" ? message.value.event?.payload : undefined;
    if (payload) seen.push(payload);
    const states = ["COMPLETED", "FAILED", "ABORTED", "PAUSED"];
    if (payload?.case === "taskTransition" && states.includes(payload.value.toState)) enough.abort();
  }
  return seen;
}

export async function auditOf(hub: ConfigurableHub, pipelineId: string) {
  const filter = `pipeline_id = "${pipelineId}"`;
  const request = create(ListAuditEntriesRequestSchema, { filter, orderBy: "sequence", pageSize: 1000 });
  return (await hub.listAuditEntries(ada, request)).entries;
}

/** Processes of this machine whose command line holds a text. */
export async function processesWith(text: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const line = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    const state = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    if (line.includes(text) && !/\) Z /.test(state)) found.push(Number(name));
  }
  return found;
}
