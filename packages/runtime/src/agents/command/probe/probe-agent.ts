import { hubVariables } from "../../../evidence/run-command.ts";
import { hasProgram, programOf } from "../find-program.ts";
import { presets } from "../presets/index.ts";
import type { CommandPack, CommandSettings } from "../settings.ts";
import { type ProbeEnd, runProbe } from "./run-probe.ts";

/**
 * Why a command could not do a task now, and what to do about it; undefined when nothing speaks against it. Asks the
 * program itself, in the cheapest way it offers, so that work is not sent to one that is not installed or not signed in.
 */
export async function probeAgent(
  pack: CommandPack,
  settings: CommandSettings,
  signal: AbortSignal,
): Promise<string | undefined> {
  // The heartbeat itself reports a program that is not there.
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

/** The last line says why, mostly. */
function failed(args: readonly string[], { code, printed }: ProbeEnd): string {
  const why = printed.split("\n").at(-1) ?? "";
  return `\`${args.join(" ")}\` ended with exit code ${code}${why && `: ${why}`}`;
}

/** A program that finds a key in its environment needs no login, and its status may not know of that. */
function hasCredentials({ command: { env, passEnv } }: CommandPack, names: readonly string[]): boolean {
  const variables: Readonly<Record<string, string | undefined>> = { ...hubVariables(passEnv), ...env };
  return names.some((name) => (variables[name] ?? "") !== "");
}
