import { hubVariables } from "../../../processes/run-command.ts";
import { hasProgram, programOf } from "../find-program.ts";
import { presets } from "../presets/index.ts";
import type { CommandPack, CommandSettings } from "../settings.ts";
import { type ProbeEnd, runProbe } from "./run-probe.ts";

/**
 * Why a command cannot work now, with the fix; undefined when it can. Runs the cheapest check of the program, so that no work
 * is sent to one that is not installed or not signed in.
 */
export async function probeAgent(
  pack: CommandPack,
  settings: CommandSettings,
  signal: AbortSignal,
): Promise<string | undefined> {
  // The heartbeat reports a missing program.
  if (!hasProgram(pack)) return undefined;
  const run = async (args: readonly string[], judge: (end: ProbeEnd) => string | undefined) => {
    const what = args.join(" ");
    try {
      const end = await runProbe(pack, args, settings, signal);
      return end.code === undefined ? `\`${what}\` did not end in time` : judge(end);
    } catch (error) {
      return `\`${what}\` cannot be started: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  const { probe, preset } = pack.command;
  if (probe) {
    const args = probe.map((arg) => arg.replaceAll("{pack}", pack.folder ?? ""));
    return run(args, (end) => (end.code === 0 ? undefined : failed(args, end)));
  }
  if (preset === undefined) return undefined;
  const program = programOf(pack);
  const version = [program, "--version"];
  const broken = await run(version, (end) => (end.code === 0 ? undefined : failed(version, end)));
  if (broken !== undefined) return broken;
  const { signIn } = presets[preset];
  if (!signIn.status || hasCredentials(pack, signIn.variables)) return undefined;
  return run([program, ...signIn.status], ({ printed }) =>
    signIn.isMissing.test(printed) ? `${program} is not signed in; ${signIn.fix}` : undefined,
  );
}

/** The last line usually has the reason. */
function failed(args: readonly string[], { code, printed }: ProbeEnd): string {
  const why = printed.split("\n").at(-1) ?? "";
  return `\`${args.join(" ")}\` ended with exit code ${code}${why && `: ${why}`}`;
}

/** A key in the environment makes a login unnecessary, and the status of the program may not consider it. */
function hasCredentials({ command: { env, passEnv } }: CommandPack, names: readonly string[]): boolean {
  const variables: Readonly<Record<string, string | undefined>> = { ...hubVariables(passEnv), ...env };
  return names.some((name) => (variables[name] ?? "") !== "");
}
