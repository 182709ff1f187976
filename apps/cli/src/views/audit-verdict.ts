import type { Verdict } from "../audit/verdict.ts";
import { asCalled } from "../called-as.ts";
import { escapeLine } from "../terminal/escape.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Fact, renderFacts } from "../terminal/table.ts";
import { wrap } from "../terminal/width.ts";

/** What was found, with the worst first. */
export function renderVerdict(look: Look, verdict: Verdict): readonly string[] {
  const signs = signsOf(look);
  const { valid, problem = "", code = "", at = "", fix = "" } = verdict;
  const tone = valid ? "good" : "bad";
  const title = `${valid ? signs.done : signs.failed} ${titleOf(verdict)}`;
  const lines = wrap(escapeLine(title), look.columns).map((text) => paint(look, { text, tone }));
  const wrong: readonly Fact[] = [
    ["code", piece(code, "bad")],
    ["problem", piece(problem)],
    ["at", piece(at)],
    ["fix", piece(asCalled(fix), "strong")],
  ];
  return [...lines, ...renderFacts(look, [...wrong, ...facts(verdict)], "  ")];
}

function titleOf({ valid, scope, kind, tenantId, pipelineId, firstBadSequence }: Verdict): string {
  if (scope === "entry")
    return valid ? "the entry is in the record" : "the entry is not proven to be in the record";
  const what = scope === "record" ? `the record of ${tenantId}` : `what is recorded of ${pipelineId}`;
  if (kind === "foreign-key") return `${what} is not signed by whom you trust`;
  return valid ? `${what} is whole` : `${what} is not whole: entry ${firstBadSequence} is the first bad one`;
}

function facts(verdict: Verdict): readonly Fact[] {
  const { valid, kind, entriesChecked, vouchedThrough, keyIds, keysAreTrusted, scope } = verdict;
  const { knownThrough = 0, signedNow = false } = verdict;
  const signed = Math.max(vouchedThrough, knownThrough);
  const loose = scope === "record" ? entriesChecked - signed : 0;
  const how = signedNow ? "were not signed before" : "are not signed yet";
  const after = loose > 0 ? `; the last ${loose} ${how}` : "";
  return [
    ["kind", piece(kind ?? "")],
    [
      "checked",
      piece(`${count(entriesChecked)}${valid ? after : kind === "foreign-key" ? "" : " before it"}`),
    ],
    signatureOf(verdict),
    ...keyIds.map((keyId): Fact => ["key", piece(keyId)]),
    ["note", piece(keysAreTrusted || keyIds.length === 0 ? "" : unpinned, "asks")],
  ];
}

/** What a bad record carries is told as what it is: a checkpoint, which vouches for nothing here. */
function signatureOf({ valid, checkpoint, signedNow = false }: Verdict): Fact {
  if (checkpoint === undefined) return ["signed", piece(valid ? "not yet" : "")];
  const { sequence, issuedAt } = checkpoint;
  if (!valid) return ["checkpoint", piece(`of entry ${sequence}, at ${issuedAt}`)];
  return ["signed", piece(`${signedNow ? "now " : ""}up to entry ${sequence}, at ${issuedAt}`)];
}

const unpinned =
  "no key was given, so the one that the record names is believed; whoever can write a record anew can name another. Give the key that you know with --key.";

function count(entries: number): string {
  return `${entries.toLocaleString("en")} ${entries === 1 ? "entry" : "entries"}`;
}
