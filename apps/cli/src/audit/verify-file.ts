import { type ExportOptions, exportVerifier } from "@baton/kernel/audit";
import { exportTools } from "./export-tools.ts";
import { readLines } from "./read-file.ts";
import { notAnExport, ofExport, type Verdict } from "./verdict.ts";

/** Checks an exported file, without any hub. */
export function verifyFile(path: string, options: ExportOptions): Verdict {
  const verifier = exportVerifier(exportTools, options);
  readLines(path, (line) => {
    verifier.push(line);
    return true;
  });
  const verdict = verifier.end();
  if (verdict === undefined) throw notAnExport(path);
  return ofExport(path, verdict);
}
