import { CliError } from "../errors/cli-error.ts";
import { findServer } from "./find-server.ts";
import { runServer } from "./run-server.ts";

/** What the server's program answers to a question about files: one document. What else it says is for people. */
export async function askServer(args: readonly string[]): Promise<{ answer: unknown; code: number }> {
  const heard: string[] = [];
  const code = await runServer({ program: findServer(), args, onOutput: (line) => heard.push(line) });
  if (heard.length === 0) return { answer: undefined, code };
  try {
    return { answer: JSON.parse(heard.join("")), code };
  } catch (cause) {
    const fix = "see whether the server is installed whole, and of the same version";
    throw new CliError("BATON-CLI-006", "the server gave an answer that is none", { fix, cause });
  }
}
