import { fields, list, optional, type ValuesOf } from "./lists-and-fields.ts";
import { mapping } from "./mapping.ts";
import type { Reading } from "./reading.ts";
import { choice, positiveDuration, text } from "./shape.ts";

/** A program on the hub's machine that does the tasks of a pack (A §3.4, the dev adapter). */
export interface CommandAgent {
  /** What to run: one of the two. A preset knows how a certain program wants to be called. */
  readonly preset?: CommandPreset;
  readonly run?: readonly string[];
  /** How it gets the task. */
  readonly envelope: "stdin" | "file";
  /** What stands in its environment, besides what every command gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that it gets from the hub's own environment. */
  readonly passEnv: readonly string[];
  /** What it writes to standard output; a preset knows by itself. */
  readonly output?: "text" | "stream-json";
  /** How long one attempt may take, at the most. */
  readonly timeoutMs?: number;
  /** For presets: the model to use. */
  readonly model?: string;
  /** For presets: what to put after its own arguments. */
  readonly extraArgs: readonly string[];
}

/** Programs that the hub knows how to call; docs/reference/command-agents.md says how. */
const commandPresets = { "claude-code": "claude-code", codex: "codex", gemini: "gemini" } as const;

export type CommandPreset = keyof typeof commandPresets;

/** Beyond these, the system or the reader gives up. */
export const commandLimits = {
  args: 256,
  argLength: 4_096,
  variables: 100,
  variableLength: 32_768,
  nameLength: 128,
  timeoutMs: 86_400_000,
} as const;

// An argument ends at a NUL wherever it is passed on.
const argument = text({
  least: 0,
  most: commandLimits.argLength,
  pattern: /^[^\0]*$/,
  must: `be a text of up to ${commandLimits.argLength} characters, without NUL`,
});
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

const commandFields = {
  preset: optional(
    choice("a preset", commandPresets, "claude-code"),
    "A program that the hub knows how to call. Either this or `run`.",
  ),
  run: optional(
    list(argument, { least: 1, most: commandLimits.args, example: 'run: ["my-agent", "--json"]' }),
    "The program and its arguments, as a list: no shell reads it. {pack} is the folder of this file, {workspace} that of the task, {envelope} and {prompt} are files with the task as JSON and in words. Either this or `preset`.",
  ),
  envelope: optional(
    choice("a way to hand over the task", { stdin: "stdin", file: "file" } as const, "stdin"),
    "How the program gets the task as JSON: on standard input, or as the path of a file, its last argument.",
    "stdin",
  ),
  env: optional(
    mapping(variableName, text({ least: 0, most: commandLimits.variableLength, pattern: /^[^\0]*$/ }), {
      most: commandLimits.variables,
      what: "the name of a variable",
    }),
    "Variables of its environment. No secrets: this file is meant to be shared. For those there is `pass_env`.",
  ),
  pass_env: optional(
    list(text({ most: commandLimits.nameLength, pattern: variableName, must: "be the name of a variable" }), {
      most: commandLimits.variables,
    }),
    "Names of variables that it gets from the environment of the hub, such as ANTHROPIC_API_KEY.",
  ),
  output: optional(
    choice("a kind of output", { text: "text", "stream-json": "stream-json" } as const, "text"),
    "What it writes to standard output. A preset knows by itself; `run` writes text unless it is said here.",
  ),
  timeout: optional(
    positiveDuration,
    "How long one attempt may take, up to 1d. The task's own limits hold besides.",
  ),
  model: optional(text({ most: commandLimits.nameLength }), "For presets: the model to use."),
  extra_args: optional(
    list(argument, { most: commandLimits.args }),
    "For presets: what to put after its own arguments.",
  ),
};

export const commandShape = fields(commandFields, "Command-line agent");

/** The rules between the fields, which no schema states. */
export function makeCommandAgent(given: ValuesOf<typeof commandFields>, place: Reading): CommandAgent {
  const { preset, run, output, timeout: timeoutMs, model } = given;
  if ((preset === undefined) === (run === undefined)) {
    const message = preset === undefined ? "says nothing about what to run" : "says twice what to run";
    place.object(message, "give either preset or run");
  }
  if (timeoutMs !== undefined && timeoutMs > commandLimits.timeoutMs)
    place.at("timeout").object("must be at most 1d", "write it such as 30m");
  if (place.at("run").items()[0]?.value === "")
    place.at("run").object("names no program", 'write it as ["program", "argument"]');
  for (const key of ["model", "extra_args"] as const) {
    const isForNobody = run !== undefined && given[key] !== undefined;
    if (isForNobody) place.at(key).object("is for presets only", "put it among the arguments of run");
  }
  return {
    ...(preset !== undefined && { preset }),
    ...(run !== undefined && { run }),
    envelope: given.envelope,
    env: given.env ?? {},
    passEnv: given.pass_env ?? [],
    ...(output !== undefined && { output }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(model !== undefined && { model }),
    extraArgs: given.extra_args ?? [],
  };
}
