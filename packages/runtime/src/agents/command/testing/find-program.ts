import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The real Claude Code: at the path in BATON_CLAUDE_CODE, or on PATH. Never fetched: `npm test` has to work without it.
 * `npm install --prefix FOLDER @anthropic-ai/claude-code` puts it into FOLDER/node_modules/.bin.
 */
export function findProgram(variable: string, program: string): string | undefined {
  const named = process.env[variable];
  const folders = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, program));
  return [...(named ? [named] : []), ...folders].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
