import { type AuditEntry, AuditEntrySchema } from "@baton/contract/forms";
import { type ExportOptions, exportVerifier } from "@baton/kernel/audit";
import { fromBinary } from "@bufbuild/protobuf";
import { exportTools } from "./export-tools.ts";
import { readLines } from "./read-file.ts";
import { notAnExport, ofExport, type Verdict } from "./verdict.ts";

/** Goes through the entries of an exported file, and checks it on the way: what was read may turn out to be forged. */
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
  return ofExport(path, verdict);
}

const start = '{"entry":"';

/** Undefined for a line of something else, and for what cannot be read: the verdict has that. */
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
