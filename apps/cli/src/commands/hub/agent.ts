import {
  AgentInstanceSchema,
  encodeJson,
  ListAgentsResponseSchema,
  RestoreAgentResponseSchema,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { all, quote } from "../../hub/filter.ts";
import { limits } from "../../limits.ts";
import { agentName, findAgent, listAgents, readAgent } from "../../queries/find-agent.ts";
import { withHub } from "../../session.ts";
import { readRows } from "../../task/values.ts";
import { renderAgents } from "../../views/agents/agent-table.ts";
import { renderAgent } from "../../views/agents/agent-view.ts";
import { withExamples } from "../options/examples.ts";
import { printMore } from "../options/print-more.ts";

interface ListOptions {
  readonly pack?: string;
  readonly filter?: string;
  readonly limit: number;
}

export function addAgent(program: Command): void {
  const agent = program
    .command("agent")
    .description("Lists and shows agents, and restores a quarantined one.");
  withExamples(agent, [
    ["baton agent list", "the connected agents"],
    ["baton agent show qa-engineer/i-1", "one agent with its recent attempts"],
    ['baton agent restore qa-engineer/i-1 --reason "its tests run again"', "restores it"],
  ]);
  addList(agent);
  addShow(agent);
  addRestore(agent);
}

function addList(agent: Command): void {
  const list = agent
    .command("list")
    .summary("list the agents")
    .description("Lists the agents that the hub knows, with health, load, success rate and lease.")
    .option("--pack <id>", "only instances of this pack")
    .option("--filter <expression>", "a filter of the API, such as: health.status = HEALTH_STATUS_DEGRADED")
    .option("--limit <n>", "the maximum number of rows", readRows, limits.defaultListRows)
    .action((options: ListOptions, command: Command) =>
      withHub(command, async (session) => {
        const filter = all(options.pack && `pack_id = ${quote(options.pack)}`, options.filter);
        const recentAttempts = session.output === "text" ? 0 : limits.recentAttempts;
        const query = { max: options.limit, filter, recentAttempts };
        const { rows, more } = await listAgents(session.hub, query, session.signal);
        if (session.output === "json") {
          const response = create(ListAgentsResponseSchema, { agents: [...rows] });
          await session.writeJson(encodeJson(ListAgentsResponseSchema, response));
        } else if (session.output === "jsonl") {
          for (const row of rows) await session.writeJson(encodeJson(AgentInstanceSchema, row));
        } else if (rows.length === 0) {
          session.printNote(filter === "" ? "no agents yet" : "no matching agents");
        } else {
          await session.write(renderAgents(session.terminal, rows, Date.now()));
        }
        if (more) printMore(session, options.limit);
        return exitCode.ok;
      }),
    );
  withExamples(list, [
    ["baton agent list --pack qa-engineer", "the instances of one pack"],
    ["baton agent list --output json", "all fields, for a program"],
  ]);
}

function addShow(agent: Command): void {
  const show = agent
    .command("show")
    .summary("show one agent")
    .description(
      "Shows one agent: health, success rate, last error and recent attempts since the hub started.",
    )
    .argument("<agent>", "PACK/INSTANCE, or the beginning of the instance id")
    .action((given: string, _: object, command: Command) =>
      withHub(command, async (session) => {
        const name = await findAgent(session.hub, given, session.signal);
        const found = await readAgent(session.hub, name, session.signal);
        if (session.output === "text") await session.write(renderAgent(session.terminal, found, Date.now()));
        else await session.writeJson(encodeJson(AgentInstanceSchema, found));
        return exitCode.ok;
      }),
    );
  withExamples(show, [
    ["baton agent show qa-engineer/i-1", "names pack and instance"],
    ["baton agent show qa-engineer/i-1 --output json | jq .work", "its attempts, for a program"],
  ]);
}

function addRestore(agent: Command): void {
  const restore = agent
    .command("restore")
    .summary("restore a quarantined agent")
    .description(
      "Restores an instance that the hub has quarantined after invalid results or disproved claims.",
    )
    .argument("<agent>", "PACK/INSTANCE, or the beginning of the instance id")
    .requiredOption("--reason <text>", "the reason (required); audited with your name")
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
          session.printNote(`${agentName(name)} is restored`);
          if (response.agent)
            await session.write(renderAgents(session.terminal, [response.agent], Date.now()));
        }
        return exitCode.ok;
      }),
    );
  withExamples(restore, [
    ['baton agent restore qa-engineer/i-1 --reason "its tests run again"', "names pack and instance"],
  ]);
}
