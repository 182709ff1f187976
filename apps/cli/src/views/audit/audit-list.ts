import { ActorType, type AuditActor, type AuditEntry, AuditEventType } from "@baton/contract/forms";
import { instant } from "../../terminal/format.ts";
import { piece, type Tone } from "../../terminal/paint.ts";
import { type Column, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const columns: readonly Column[] = [
  { heading: "ENTRY", right: true },
  { heading: "WHEN" },
  { heading: "WHAT" },
  { heading: "WHO", spare: true },
  { heading: "RUN", spare: true },
  { heading: "WHY", flexible: true },
];

export function renderEntries(terminal: Terminal, entries: readonly AuditEntry[]): readonly string[] {
  return renderTable(
    terminal,
    columns,
    entries.map((entry) => [
      piece(String(entry.sequence)),
      piece(entry.timestamp ? instant(entry.timestamp) : "", "quiet"),
      piece(typeOf(entry), toneOf(entry.eventType)),
      piece(actorOf(entry.actor)),
      piece(entry.pipelineId, "quiet"),
      piece(entry.rationale || entry.action),
    ]),
  );
}

/** `gate rejected` for GATE_REJECTED. A pipeline of the contract is called a run. */
export function typeOf({ eventType }: AuditEntry): string {
  return (AuditEventType[eventType] ?? `type ${eventType}`)
    .toLowerCase()
    .replaceAll("_", " ")
    .replace(/^pipeline /, "run ");
}

export function actorOf(actor: AuditActor | undefined): string {
  if (actor === undefined) return "";
  if (actor.type === ActorType.ORCHESTRATOR) return "the hub";
  const kind = (ActorType[actor.type] ?? "").toLowerCase();
  return kind === "" || actor.id === "" ? actor.id || kind : `${kind} ${actor.id}`;
}

function toneOf(type: AuditEventType): Tone {
  const name = AuditEventType[type] ?? "";
  if (/FAILED|REJECTED|INVALID|TIMEOUT|QUARANTINED|ABORTED/.test(name)) return "bad";
  if (/ESCALATION$|PAUSED/.test(name)) return "asks";
  return /COMPLETED|PASSED|VALIDATED/.test(name) ? "good" : "plain";
}
