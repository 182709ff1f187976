import { type ExportOptions, exportVerifier } from "@baton/kernel/audit";
import { CliError } from "../errors/cli-error.ts";
import { exportTools } from "./export-tools.ts";
import { readLines } from "./read-file.ts";
import { ofExport, type Verdict } from "./verdict.ts";

/** Checks an exported file, without any hub. */
export function verifyFile(path: string, options: ExportOptions): Verdict {
  const verifier = exportVerifier(exportTools, options);
  readLines(path, (line) => {
    verifier.push(line);
    return true;
  });
  const verdict = verifier.end();
  if (verdict !== undefined) return ofExport(path, verdict);
  throw new CliError("BATON-CLI-011", "the first line is not that of an audit export", {
    at: `${path}:1`,
    fix: "name a file that baton audit export has written; if it was one, its first line was changed",
  });
}
