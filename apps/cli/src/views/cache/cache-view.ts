import { type CacheRecord, RiskTier } from "@baton/contract/forms";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { escapeLine } from "../../terminal/escape.ts";
import { type Piece, piece } from "../../terminal/paint.ts";
import { type Column, type Fact, renderFacts, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { wrap } from "../../terminal/width.ts";

const columns: readonly Column[] = [
  { heading: "STORED" },
  { heading: "STATE" },
  { heading: "CAPABILITY", flexible: true },
  { heading: "TERRITORY", spare: true },
  { heading: "PACK", spare: true },
  { heading: "KEY" },
];

export function renderCache(terminal: Terminal, records: readonly CacheRecord[]): readonly string[] {
  const rows = records.map((record) => [
    piece(storedOf(record)),
    stateOf(record),
    piece(record.capability),
    piece(record.territory),
    piece(record.producer),
    piece(record.cacheKey, "quiet"),
  ]);
  return renderTable(terminal, columns, rows);
}

/** One outcome with its output, or its revocation. */
export function renderOutcome(terminal: Terminal, record: CacheRecord): readonly string[] {
  const { result, revocation } = record;
  const facts: readonly Fact[] = [
    ["key", piece(record.cacheKey)],
    ["state", stateOf(record)],
    ["stored", piece(storedOf(record))],
    ["reason", piece(revocation?.reason ?? "", "asks")],
    ["revoked by", piece(revocation?.by ?? "")],
    ["capability", piece(record.capability)],
    ["territory", piece(record.territory)],
    ["pack", piece(record.producer)],
    ["risk", piece(record.riskTier === RiskTier.UNSPECIFIED ? "" : RiskTier[record.riskTier].toLowerCase())],
    ["from task", piece(record.sourceTaskId)],
    ["from run", piece(record.sourcePipelineId)],
    ["digest", piece(record.digest, "quiet")],
  ];
  const { message = "", data } = result?.response ?? {};
  const output = data ? JSON.stringify(data, undefined, 2) : message;
  return [
    ...renderFacts(terminal, facts, ""),
    ...(output === ""
      ? []
      : ["", ...output.split("\n").flatMap((line) => wrap(escapeLine(line), terminal.columns))]),
  ];
}

function stateOf({ revocation }: CacheRecord): Piece {
  return revocation ? piece("revoked", "bad") : piece("stored", "good");
}

function storedOf({ storedAt }: CacheRecord): string {
  return storedAt ? timestampDate(storedAt).toISOString().slice(0, 19).concat("Z") : "";
}
