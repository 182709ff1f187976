import type { AgentAttempt, AgentInstance } from "@baton/contract/forms";
import { agentName, nameOf } from "../../queries/find-agent.ts";
import { escapeLine } from "../../terminal/escape.ts";
import { describeMs, describeWhen, elapsedMs } from "../../terminal/format.ts";
import { type Piece, paint, piece } from "../../terminal/paint.ts";
import { type Column, type Fact, renderFacts, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { wrap } from "../../terminal/width.ts";
import {
  busyOf,
  complaintOf,
  disprovedOf,
  failuresOf,
  healthOf,
  latencyOf,
  leaseOf,
  loadOf,
  outcomeLabel,
  successOf,
} from "./agent-facts.ts";

/** One agent: its health, its recent attempts, and its last error. */
export function renderAgent(terminal: Terminal, agent: AgentInstance, nowMs: number): readonly string[] {
  const name = wrap(escapeLine(agentName(nameOf(agent))), terminal.columns);
  return [
    ...name.map((text) => paint(terminal, piece(text, "strong"))),
    ...renderFacts(terminal, factsOf(terminal, agent, nowMs), "  "),
    "",
    ...renderAttempts(terminal, agent, nowMs),
  ];
}

/** `failing: 3 of 3 failed`. */
function stateOf(agent: AgentInstance): Piece {
  const { text, tone } = healthOf(agent);
  return { text: text === "failing" ? `${text}: ${failuresOf(agent)}` : text, tone };
}

function factsOf(terminal: Terminal, agent: AgentInstance, nowMs: number): readonly Fact[] {
  const { manifest, heartbeat, work, attachedBy, sandbox, quarantineReason } = agent;
  const last = work?.lastFailure;
  const when = last ? describeWhen(terminal, last.endedAt, nowMs) : "";
  return [
    ["health", stateOf(agent)],
    ["reports", reportedOf(agent)],
    ["version", piece(manifest?.packVersion ?? "")],
    ["reason", piece(complaintOf(agent), "asks")],
    ["quarantine", piece(quarantineReason, "bad")],
    ["success", countsOf(agent)],
    ["last error", piece(last?.error ?? "", "bad")],
    ["in run", piece(last ? `${last.pipelineId}, stage ${last.stageId}, ${when}` : "")],
    ["load", piece(loadOf(agent))],
    ["busy", piece(busyOf(agent))],
    ["latency", piece(latencyOf(agent))],
    ["claims", piece(disprovedOf(agent), "bad")],
    ["lease", piece(leaseOf(agent, nowMs), "quiet")],
    ["breaker", piece(agent.breakerState === "closed" ? "" : agent.breakerState, "asks")],
    ["task types", piece((manifest?.supportedTaskTypes ?? []).join(", "))],
    ["tools", piece((heartbeat?.availableTools ?? []).join(", "))],
    ["key", piece(attachedBy)],
    ["sandbox", piece(sandbox)],
  ];
}

/** The reported health where the attempts say otherwise: routing uses the report. */
function reportedOf(agent: AgentInstance): Piece {
  const { work, ...reported } = agent;
  return work?.failing && healthOf(agent).text === "failing" ? healthOf(reported) : piece("");
}

/** `17 of the last 20 attempts`. */
function countsOf(agent: AgentInstance): Piece {
  const { succeeded = 0, failed = 0 } = agent.work ?? {};
  const counted = succeeded + failed;
  if (counted === 0) return piece("");
  const ofThem = counted === 1 ? "the only attempt" : `the last ${counted} attempts`;
  return { text: `${succeeded} of ${ofThem}`, tone: successOf(agent).tone };
}

const columns: readonly Column[] = [
  { heading: "ENDED" },
  { heading: "RUN" },
  { heading: "STAGE" },
  { heading: "OUTCOME" },
  { heading: "TOOK", right: true, spare: true },
  { heading: "ERROR", flexible: true, wraps: true },
];

function renderAttempts(terminal: Terminal, { work }: AgentInstance, nowMs: number): readonly string[] {
  const attempts = work?.recentAttempts ?? [];
  const quiet = (text: string) => [`  ${paint(terminal, piece(text, "quiet"))}`];
  if (attempts.length === 0) return quiet("no attempt has ended since the hub started");
  const heading = paint(terminal, piece("Recent attempts", "strong"));
  const row = (attempt: AgentAttempt) => {
    const tookMs = elapsedMs(attempt.startedAt, attempt.endedAt, nowMs);
    return [
      piece(describeWhen(terminal, attempt.endedAt, nowMs), "quiet"),
      piece(attempt.pipelineId),
      piece(attempt.stageId),
      outcomeLabel(attempt),
      piece(tookMs === undefined ? "" : describeMs(tookMs)),
      piece(attempt.error),
    ];
  };
  return [`  ${heading}`, ...renderTable(terminal, columns, attempts.map(row), "    ")];
}
