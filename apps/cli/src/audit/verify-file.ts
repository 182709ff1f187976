import { type ExportOptions, type ExportVerdict, exportVerifier } from "@baton/kernel/audit";
import { exportTools } from "./export-tools.ts";
import { readLines } from "./read-file.ts";
import { exportVerdict, notAnExport, type Verdict } from "./verdict.ts";

/** Verifies an exported file without a hub. */
export function verifyFile(path: string, options: ExportOptions): Verdict {
  const verifier = exportVerifier(exportTools, options);
  const lines = { all: 0, firstEntry: 0, lastEntry: 0 };
  readLines(path, (line) => {
    lines.all++;
    if (isEntry(line)) {
      lines.firstEntry ||= lines.all;
      lines.lastEntry = lines.all;
    }
    verifier.push(line);
    return true;
  });
  const verdict = verifier.end();
  if (verdict === undefined) throw notAnExport(path);
  return exportVerdict(path, verdict, lineOf(verdict, lines.firstEntry, lines.lastEntry));
}

const entryStart = Buffer.from('{"entry":"');

function isEntry(line: Uint8Array): boolean {
  return entryStart.equals(line.subarray(0, entryStart.length));
}

/** The line of the first bad entry. A missing end has no line, nor has a fault of the whole file. */
function lineOf({ fault, entriesChecked }: ExportVerdict, first: number, last: number): number | undefined {
  const line = first + Number(entriesChecked);
  return fault && isOfEntry.has(fault.kind) && first > 0 && line <= last ? line : undefined;
}

const isOfEntry: ReadonlySet<string> = new Set([
  ...["changed", "removed", "inserted", "reordered", "foreign-tenant", "unreadable"],
]);
