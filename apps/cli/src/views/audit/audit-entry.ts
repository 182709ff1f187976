import { type AuditEntry, AuditEntrySchema } from "@baton/contract/forms";
import { toJson } from "@bufbuild/protobuf";
import type { CheckedProof } from "../../audit/proof.ts";
import { escapeLine } from "../../terminal/escape.ts";
import { instant } from "../../terminal/format.ts";
import { paint, piece, signsOf } from "../../terminal/paint.ts";
import { type Fact, renderFacts } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { wrap } from "../../terminal/width.ts";
import { actorOf, typeOf } from "./audit-list.ts";

/** An entry with all its fields, and whether it is in the record. */
export function renderEntry(terminal: Terminal, entry: AuditEntry, proof: CheckedProof): readonly string[] {
  const title = paint(terminal, piece(`entry ${entry.sequence}: ${typeOf(entry)}`, "strong"));
  const facts: Fact[] = [
    ["when", piece(entry.timestamp ? instant(entry.timestamp) : "")],
    ["who", piece(actorOf(entry.actor))],
    ["what", piece(entry.action)],
    ["why", piece(entry.rationale)],
    ["run", piece(entry.pipelineId)],
    ["stage", piece(entry.stageId)],
    ["attempt", piece(entry.dispatchId)],
    ["pack", piece(entry.packId)],
    ["trace", piece(entry.traceId, "quiet")],
    ["audit id", piece(entry.auditId, "quiet")],
    ["hash", piece(hex(entry.entryHash), "quiet")],
    ["after", piece(hex(entry.previousHash), "quiet")],
  ];
  return [
    title,
    ...renderFacts(terminal, facts, "  "),
    ...snapshotOf(terminal, entry),
    ...proofOf(terminal, proof),
  ];
}

function snapshotOf(terminal: Terminal, entry: AuditEntry): readonly string[] {
  const json = toJson(AuditEntrySchema, entry);
  const snapshot =
    typeof json === "object" && json !== null && "snapshot" in json ? json.snapshot : undefined;
  if (snapshot === undefined) return [];
  const jsonLines = JSON.stringify(snapshot, undefined, 2).split("\n");
  const room = Math.max(20, terminal.columns - 2);
  const lines = jsonLines.flatMap((line) =>
    wrap(escapeLine(line), room).map((text) => `  ${paint(terminal, piece(text))}`),
  );
  return ["", paint(terminal, piece("what was known", "strong")), ...lines];
}

function proofOf(terminal: Terminal, proof: CheckedProof): readonly string[] {
  const { valid, problem = "", hashes, checkpoint, keyId, keyIsTrusted } = proof;
  const signs = signsOf(terminal);
  const title = valid
    ? piece(`${signs.done} it is in the record`, "good")
    : piece(`${signs.failed} it is not proven to be in the record`, "bad");
  const leads = hashes === 0 ? "it leads" : `${hashes} ${hashes === 1 ? "hash leads" : "hashes lead"}`;
  const proofText = checkpoint
    ? `${leads} to the state signed at entry ${checkpoint.sequence}, ${checkpoint.issuedAt}`
    : "";
  const facts: Fact[] = [
    ["problem", piece(problem)],
    ["proof", piece(proofText)],
    ["key", piece(keyId)],
    [
      "note",
      piece(
        keyIsTrusted ? "" : "this key was not given but named; give the one that you know with --key",
        "asks",
      ),
    ],
  ];
  return ["", paint(terminal, title), ...renderFacts(terminal, facts, "  ")];
}

function hex(hash: Uint8Array | undefined): string {
  return hash === undefined ? "" : Buffer.from(hash).toString("hex");
}
