import type { AgentInstance } from "@baton/contract/forms";
import { agentName, nameOf } from "../../queries/find-agent.ts";
import { piece } from "../../terminal/paint.ts";
import { type Column, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { healthOf, latencyOf, leaseOf, loadOf, noteOf, successOf } from "./agent-facts.ts";

const columns: readonly Column[] = [
  { heading: "AGENT" },
  { heading: "VERSION", spare: true },
  { heading: "HEALTH" },
  { heading: "LOAD", right: true },
  { heading: "SUCCESS", right: true },
  { heading: "LATENCY", right: true, spare: true },
  { heading: "LEASE" },
  { heading: "TASK TYPES", spare: true },
  { heading: "NOTE", flexible: true },
];

export function renderAgents(
  terminal: Terminal,
  agents: readonly AgentInstance[],
  nowMs: number,
): readonly string[] {
  return renderTable(
    terminal,
    columns,
    agents.map((agent) => [
      piece(agentName(nameOf(agent))),
      piece(agent.manifest?.packVersion ?? ""),
      healthOf(agent),
      piece(loadOf(agent)),
      successOf(agent),
      piece(latencyOf(agent)),
      piece(leaseOf(agent, nowMs), "quiet"),
      piece((agent.manifest?.supportedTaskTypes ?? []).join(", ")),
      piece(noteOf(agent), "asks"),
    ]),
  );
}
