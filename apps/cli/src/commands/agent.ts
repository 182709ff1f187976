import {
  AgentInstanceSchema,
  encodeJson,
  ListAgentsResponseSchema,
  RestoreAgentResponseSchema,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { exitCode } from "../exit-code.ts";
import { all, quote } from "../hub/filter.ts";
import { findAgent, full, listAgents } from "../hub/find-agent.ts";
import { limits } from "../limits.ts";
import { withHub } from "../session.ts";
import { readRows } from "../task/values.ts";
import { renderAgents } from "../views/agent-table.ts";
import { withExamples } from "./examples.ts";
import { tellMore } from "./tell-more.ts";

interface ListOptions {
  readonly pack?: string;
  readonly filter?: string;
  readonly limit: number;
}

export function addAgent(program: Command): void {
  const agent = program
    .command("agent")
    .summary("see the agents, let one in again")
    .description("Agents: who is there, how they are, and letting one in again.");
  withExamples(agent, [
    ["baton agent list", "who is there"],
    ['baton agent restore qa-engineer/i-1 --reason "its tests run again"', "lets it in again"],
  ]);
  addList(agent);
  addRestore(agent);
}

function addList(agent: Command): void {
  const list = agent
    .command("list")
    .summary("list the agents")
    .description("Lists the agents that the hub knows, with their health, load and lease.")
    .option("--pack <id>", "only instances of this pack")
    .option("--filter <expression>", "a filter of the API, such as: health.status = HEALTH_STATUS_DEGRADED")
    .option("--limit <n>", "how many at the most", readRows, limits.defaultListRows)
    .action((options: ListOptions, command: Command) =>
      withHub(command, async (session) => {
        const filter = all(options.pack && `pack_id = ${quote(options.pack)}`, options.filter);
        const { rows, more } = await listAgents(session.hub, { most: options.limit, filter }, session.signal);
        if (session.output === "json") {
          const response = create(ListAgentsResponseSchema, { agents: [...rows] });
          await session.writeJson(encodeJson(ListAgentsResponseSchema, response));
        } else if (session.output === "jsonl") {
          for (const row of rows) await session.writeJson(encodeJson(AgentInstanceSchema, row));
        } else if (rows.length === 0) {
          session.tell(filter === "" ? "no agent has come in yet" : "no agent fits");
        } else {
          await session.write(renderAgents(session.look, rows, Date.now()));
        }
        if (more) tellMore(session, options.limit);
        return exitCode.ok;
      }),
    );
  withExamples(list, [
    ["baton agent list --pack qa-engineer", "the instances of one pack"],
    ["baton agent list --output json", "everything the hub knows of them"],
  ]);
}

function addRestore(agent: Command): void {
  const restore = agent
    .command("restore")
    .summary("let an agent in again")
    .description(
      "Lets an instance in again that the hub has shut out after invalid results, or claims that did not hold.",
    )
    .argument("<agent>", "PACK/INSTANCE, or the beginning of the instance's id")
    .requiredOption("--reason <text>", "why (required); it goes into the record with your name")
    .action((given: string, { reason }: { readonly reason: string }, command: Command) =>
      withHub(command, async (session) => {
        const name = await findAgent(session.hub, given, session.signal);
        const response = await session.hub.registry.restoreAgent(
          { ...name, reason },
          { signal: session.signal },
        );
        if (session.output !== "text") {
          await session.writeJson(encodeJson(RestoreAgentResponseSchema, response));
        } else {
          session.tell(`${full(name)} is in again`);
          if (response.agent) await session.write(renderAgents(session.look, [response.agent], Date.now()));
        }
        return exitCode.ok;
      }),
    );
  withExamples(restore, [
    ['baton agent restore qa-engineer/i-1 --reason "its tests run again"', "names pack and instance"],
  ]);
}
