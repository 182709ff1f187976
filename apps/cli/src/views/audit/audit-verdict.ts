import type { Verdict } from "../../audit/verdict.ts";
import { withInvocation } from "../../invocation.ts";
import { escapeLine } from "../../terminal/escape.ts";
import { paint, piece, signsOf } from "../../terminal/paint.ts";
import { type Fact, renderFacts } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { wrap } from "../../terminal/width.ts";

/** A verdict, with problems first. */
export function renderVerdict(terminal: Terminal, verdict: Verdict): readonly string[] {
  const signs = signsOf(terminal);
  const { valid, problem = "", code = "", at = "", fix = "" } = verdict;
  const tone = valid ? "good" : "bad";
  const title = `${valid ? signs.done : signs.failed} ${titleOf(verdict)}`;
  const lines = wrap(escapeLine(title), terminal.columns).map((text) => paint(terminal, { text, tone }));
  const wrong: readonly Fact[] = [
    ["code", piece(code, "bad")],
    ["problem", piece(problem)],
    ["at", piece(at)],
    ["fix", piece(withInvocation(fix), "strong")],
  ];
  return [...lines, ...renderFacts(terminal, [...wrong, ...facts(verdict)], "  ")];
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

/** The checkpoint of a bad record proves nothing, so it is not called a signature. */
function signatureOf({ valid, checkpoint, signedNow = false }: Verdict): Fact {
  if (checkpoint === undefined) return ["signed", piece(valid ? "not yet" : "")];
  const { sequence, issuedAt } = checkpoint;
  if (!valid) return ["checkpoint", piece(`of entry ${sequence}, at ${issuedAt}`)];
  return ["signed", piece(`${signedNow ? "now " : ""}up to entry ${sequence}, at ${issuedAt}`)];
}

const unpinned =
  "no key was given, so the key that the record names was used; a forged record can name another. Give the key that you know with --key.";

function count(entries: number): string {
  return `${entries.toLocaleString("en")} ${entries === 1 ? "entry" : "entries"}`;
}
