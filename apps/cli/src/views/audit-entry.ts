import { type AuditEntry, AuditEntrySchema } from "@baton/contract/forms";
import { toJson } from "@bufbuild/protobuf";
import type { CheckedProof } from "../audit/proof.ts";
import { escapeLine } from "../terminal/escape.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Fact, renderFacts } from "../terminal/table.ts";
import { instant } from "../terminal/time.ts";
import { wrap } from "../terminal/width.ts";
import { actorOf, typeOf } from "./audit-list.ts";

/** An entry with all that it holds, and whether it is in the record. */
export function renderEntry(look: Look, entry: AuditEntry, proof: CheckedProof): readonly string[] {
  const title = paint(look, piece(`entry ${entry.sequence}: ${typeOf(entry)}`, "strong"));
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
  return [title, ...renderFacts(look, facts, "  "), ...snapshotOf(look, entry), ...proofOf(look, proof)];
}

function snapshotOf(look: Look, entry: AuditEntry): readonly string[] {
  const json = toJson(AuditEntrySchema, entry);
  const snapshot =
    typeof json === "object" && json !== null && "snapshot" in json ? json.snapshot : undefined;
  if (snapshot === undefined) return [];
  const lines = JSON.stringify(snapshot, undefined, 2).split("\n");
  const room = Math.max(20, look.columns - 2);
  const shown = lines.flatMap((line) =>
    wrap(escapeLine(line), room).map((text) => `  ${paint(look, piece(text))}`),
  );
  return ["", paint(look, piece("what was known", "strong")), ...shown];
}

function proofOf(look: Look, proof: CheckedProof): readonly string[] {
  const { valid, problem = "", hashes, checkpoint, keyId, keyIsTrusted } = proof;
  const signs = signsOf(look);
  const title = valid
    ? piece(`${signs.done} it is in the record`, "good")
    : piece(`${signs.failed} it is not proven to be in the record`, "bad");
  const leads = hashes === 0 ? "it leads" : `${hashes} ${hashes === 1 ? "hash leads" : "hashes lead"}`;
  const way = checkpoint
    ? `${leads} to the state signed at entry ${checkpoint.sequence}, ${checkpoint.issuedAt}`
    : "";
  const facts: Fact[] = [
    ["problem", piece(problem)],
    ["proof", piece(way)],
    ["key", piece(keyId)],
    [
      "note",
      piece(
        keyIsTrusted ? "" : "this key was not given but named; give the one that you know with --key",
        "asks",
      ),
    ],
  ];
  return ["", paint(look, title), ...renderFacts(look, facts, "  ")];
}

function hex(hash: Uint8Array | undefined): string {
  return hash === undefined ? "" : Buffer.from(hash).toString("hex");
}
