import { programOf } from "../find-program.ts";
import { presets } from "../presets/index.ts";
import type { CommandPack } from "../settings.ts";

/** Longer text is output of a task, which may say anything. */
const longest = 1_000;

const notFound = /command not found|ENOENT|No such file or directory/;
const notSignedIn = /^\W*(?:error: )?(?:you are )?not (?:logged|signed) in\b/im;

/** How an attempt without an answer ended. */
export interface LostAttempt {
  readonly exitCode: number | undefined;
  /** The program's own reason. */
  readonly output: string;
}

/**
 * Why an attempt without an answer would fail again, with the fix; undefined when another attempt may succeed. Only the
 * program's own reason counts, not the output of its task.
 */
export function whyNotReady(
  pack: Pick<CommandPack, "command" | "folder">,
  { exitCode, output }: LostAttempt,
): string | undefined {
  const reason = output.trim();
  if (reason.length > longest) return undefined;
  const program = programOf(pack);
  const { preset } = pack.command;
  const signIn = preset === undefined ? undefined : presets[preset].signIn;
  if (signIn?.isMissing.test(reason)) return `${program} is not signed in: ${reason}; ${signIn.fix}`;
  if (notSignedIn.test(reason))
    return `${program} is not signed in: ${reason}; sign it in as the user of the hub`;
  if (exitCode === 127 && notFound.test(reason))
    return `${program} does not find what it needs: ${reason}; install it, or put it on the PATH of the hub`;
  return undefined;
}
