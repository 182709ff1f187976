import type { Verdict } from "../audit/verdict.ts";
import { escapeLine } from "../terminal/escape.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Fact, renderFacts } from "../terminal/table.ts";
import { wrap } from "../terminal/width.ts";

/** What was found, with the worst first. */
export function renderVerdict(look: Look, verdict: Verdict): readonly string[] {
  const signs = signsOf(look);
  const { valid, problem = "" } = verdict;
  const tone = valid ? "good" : "bad";
  const title = `${valid ? signs.done : signs.failed} ${titleOf(verdict)}`;
  const lines = wrap(escapeLine(title), look.columns).map((text) => paint(look, { text, tone }));
  return [...lines, ...renderFacts(look, [["problem", piece(problem)], ...facts(verdict)], "  ")];
}

function titleOf({ valid, scope, kind, tenantId, pipelineId, firstBadSequence }: Verdict): string {
  if (scope === "entry")
    return valid ? "the entry is in the record" : "the entry is not proven to be in the record";
  const what = scope === "record" ? `the record of ${tenantId}` : `what is recorded of ${pipelineId}`;
  if (kind === "foreign-key") return `${what} is not signed by whom you trust`;
  return valid ? `${what} is whole` : `${what} is not whole: entry ${firstBadSequence} is the first bad one`;
}

function facts(verdict: Verdict): readonly Fact[] {
  const { valid, kind, entriesChecked, vouchedThrough, checkpoint, keyIds, keysAreTrusted, scope } = verdict;
  const { knownThrough = 0 } = verdict;
  const signed = Math.max(vouchedThrough, knownThrough);
  // The hub signs what it has found to be right, and says so in the same answer.
  const signedNow = Math.min(checkpoint?.sequence ?? 0, entriesChecked);
  const loose = scope === "record" ? entriesChecked - signed : 0;
  const how = signedNow === entriesChecked ? "were not signed before" : "are not signed yet";
  const after = loose > 0 ? `; the last ${loose} ${how}` : "";
  return [
    ["kind", piece(kind ?? "")],
    [
      "checked",
      piece(`${count(entriesChecked)}${valid ? after : kind === "foreign-key" ? "" : " before it"}`),
    ],
    [
      "signed",
      piece(
        checkpoint
          ? `${loose > 0 && signedNow > signed ? "now " : ""}up to entry ${checkpoint.sequence}, at ${checkpoint.issuedAt}`
          : "not yet",
      ),
    ],
    ...keyIds.map((keyId): Fact => ["key", piece(keyId)]),
    ["note", piece(keysAreTrusted || keyIds.length === 0 ? "" : unpinned, "asks")],
  ];
}

const unpinned =
  "no key was given, so the one that the record names is believed; whoever can write a record anew can name another. Give the key that you know with --key.";

function count(entries: number): string {
  return `${entries.toLocaleString("en")} ${entries === 1 ? "entry" : "entries"}`;
}
