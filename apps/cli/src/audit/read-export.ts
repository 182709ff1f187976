import { type AuditEntry, AuditEntrySchema } from "@baton/contract/forms";
import { type ExportOptions, exportVerifier } from "@baton/kernel/audit";
import { fromBinary } from "@bufbuild/protobuf";
import { exportTools } from "./export-tools.ts";
import { readLines } from "./read-file.ts";
import { exportVerdict, notAnExport, type Verdict } from "./verdict.ts";

/** Reads and verifies an exported file. Entries are reported before the verdict is known, so they may be forged. */
export function readExport(
  path: string,
  options: ExportOptions,
  onEntry: (entry: AuditEntry) => void = () => {},
): Verdict {
  const verifier = exportVerifier(exportTools, options);
  readLines(path, (line) => {
    verifier.push(line);
    const entry = decode(line);
    if (entry) onEntry(entry);
    return true;
  });
  const verdict = verifier.end();
  if (verdict === undefined) throw notAnExport(path);
  return exportVerdict(path, verdict);
}

const start = '{"entry":"';

/** Undefined for other lines, and for an unreadable entry, which the verdict reports. */
function decode(line: Uint8Array): AuditEntry | undefined {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  if (bytes.toString("latin1", 0, start.length) !== start) return undefined;
  try {
    const end = bytes.indexOf('"', start.length);
    return fromBinary(AuditEntrySchema, Buffer.from(bytes.toString("latin1", start.length, end), "base64"));
  } catch {
    return undefined;
  }
}
