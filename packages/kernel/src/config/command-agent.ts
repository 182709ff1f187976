import { fields, list, mapping, optional, type ValuesOf } from "./lists-and-fields.ts";
import type { Reading } from "./reading.ts";
import { choice, flag, positiveDuration, text, whole } from "./shape.ts";

/** A program on the hub's machine that does the tasks of a pack (A §3.4, the dev adapter). */
export interface CommandAgent {
  /** The program: one of the two. A preset contains the arguments of a known program. */
  readonly preset?: CommandPreset;
  readonly run?: readonly string[];
  /** How it receives the task. */
  readonly envelope: "stdin" | "file";
  /** Additional environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of environment variables passed on from the hub. */
  readonly passEnv: readonly string[];
  /** The format of its standard output; presets define their own. */
  readonly output?: "text" | "stream-json";
  /** Run before work is sent, and regularly: exit code 0 means that it can work. Presets define their own. */
  readonly probe?: readonly string[];
  /** The maximum duration of an attempt. */
  readonly timeoutMs?: number;
  /** For presets: the model to use. */
  readonly model?: string;
  /** For presets: additional arguments. */
  readonly extraArgs: readonly string[];
  /** `off` runs it with all rights of the hub's user. Default: in the hub's sandbox. */
  readonly sandbox?: "auto" | "off";
  /** Default: presets have network access, because their model needs it; `run` has none. */
  readonly network?: boolean;
  /** Files and folders of the user's home that are readable in its own home. */
  readonly home?: readonly string[];
  /** The same, writable. */
  readonly homeWritable?: readonly string[];
  /** More readable files and folders; relative to the pack's file. */
  readonly readable?: readonly string[];
  /** Resource limits; default: as for the commands of contracts. */
  readonly memoryBytes?: number;
  readonly processes?: number;
  readonly fileBytes?: number;
  /** For claude-code: whether settings, hooks, servers and instructions of the repository apply. Default: ignore. */
  readonly repositorySettings?: "ignore" | "load";
}

/** Known programs; see docs/reference/command-agents.md. */
const commandPresets = { "claude-code": "claude-code", codex: "codex", gemini: "gemini" } as const;

export type CommandPreset = keyof typeof commandPresets;

/** Limits of the operating system and of the reader. */
export const commandLimits = {
  args: 256,
  argLength: 4_096,
  variables: 100,
  variableLength: 32_768,
  nameLength: 128,
  paths: 100,
  timeoutMs: 86_400_000,
} as const;

// The operating system ends an argument at a NUL.
const argument = text({
  least: 0,
  most: commandLimits.argLength,
  pattern: /^[^\0]*$/,
  must: `be a text of up to ${commandLimits.argLength} characters, without NUL`,
});
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Confined to the home. */
const homePath = text({
  most: commandLimits.argLength,
  pattern: /^(?!\/)(?!(.*\/)?\.{1,2}(\/|$))[^\0]+$/,
  must: "be a path below the home, without . and ..",
  fix: "write it such as .config/gh",
});

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
    "For `run`: how the program gets the task as JSON: on standard input, or as the path of a file, its last argument. stdin if left out.",
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
    "For `run`: what it writes to standard output. text if left out.",
  ),
  probe: optional(
    list(argument, { least: 1, most: commandLimits.args, example: 'probe: ["my-agent", "--check"]' }),
    "A program and its arguments that check quickly whether the agent can work. Exit code 0 means that it can; with any other code it gets no work, and the last line printed is the reason. {pack} is the folder of this file. A preset has one of its own.",
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
  sandbox: optional(
    choice("a sandbox of an agent", { auto: "auto", off: "off" } as const, "auto"),
    "`off` runs the program with everything that the hub's user may read, write and reach. `auto` is the hub's sandbox.",
    "auto",
  ),
  network: optional(
    flag,
    "Whether it reaches the network. Presets do unless this is false; `run` does not unless this is true.",
  ),
  home: optional(
    list(homePath, { most: commandLimits.paths }),
    "Files and folders of the home of the hub's user that it finds in its own home, such as .config/gh. It cannot change them there.",
  ),
  home_writable: optional(
    list(homePath, { most: commandLimits.paths }),
    "The same, and what it changes there stays. For what a program must renew, such as its login.",
  ),
  readable: optional(
    list(argument, { most: commandLimits.paths }),
    "Files and folders that it may read besides its workspace, this folder and the system. A relative path begins at this file.",
  ),
  memory_limit: optional(
    whole(1_048_576),
    "Bytes of memory of one of its processes. Default: evidence.memory_limit of the hub.",
  ),
  process_limit: optional(
    whole(1, 1_000_000),
    "Processes it may have at once. Default: evidence.process_limit of the hub.",
  ),
  file_limit: optional(
    whole(1),
    "Bytes of the largest file it may write. Default: evidence.file_limit of the hub.",
  ),
  repository_settings: optional(
    choice("what to do with settings of a repository", { ignore: "ignore", load: "load" } as const, "ignore"),
    "For claude-code: whether settings, hooks, MCP servers and instructions of the repository are in force (.claude/, .mcp.json, CLAUDE.md). With `load`, anyone who can write to the repository runs programs as this agent.",
    "ignore",
  ),
};

export const commandShape = fields(commandFields, "Command-line agent");

/** Checks the rules between fields, which the schema cannot express. */
export function buildCommandAgent(given: ValuesOf<typeof commandFields>, reading: Reading): CommandAgent {
  const { preset, run, output, timeout: timeoutMs, model } = given;
  if ((preset === undefined) === (run === undefined)) {
    const message = preset === undefined ? "says nothing about what to run" : "says twice what to run";
    reading.reportInconsistent(message, "give either preset or run");
  }
  if (timeoutMs !== undefined && timeoutMs > commandLimits.timeoutMs)
    reading.at("timeout").reportInconsistent("must be at most 1d", "write it such as 30m");
  if (reading.at("run").items()[0]?.value === "")
    reading.at("run").reportInconsistent("names no program", 'write it as ["program", "argument"]');
  if (reading.at("probe").items()[0]?.value === "")
    reading.at("probe").reportInconsistent("names no program", 'write it as ["program", "argument"]');
  for (const key of ["model", "extra_args"] as const) {
    const isForNobody = run !== undefined && given[key] !== undefined;
    if (isForNobody)
      reading.at(key).reportInconsistent("is for presets only", "put it among the arguments of run");
  }
  for (const key of ["envelope", "output"] as const) {
    const isKnown = preset !== undefined && given[key] !== undefined;
    if (isKnown)
      reading.at(key).reportInconsistent("is for run only: a preset knows it by itself", "leave it out");
  }
  checkVariables(given, reading);
  if (given.repository_settings === "load" && preset !== "claude-code")
    reading
      .at("repository_settings")
      .reportInconsistent("is for the preset claude-code only", "leave it out");
  if (given.sandbox === "off") {
    for (const key of sandboxedOnly)
      if (given[key] !== undefined)
        reading
          .at(key)
          .reportInconsistent("has no effect with sandbox: off", "leave it out, or leave out sandbox");
  }
  return {
    ...(preset !== undefined && { preset }),
    ...(run !== undefined && { run }),
    envelope: given.envelope ?? "stdin",
    env: given.env ?? {},
    passEnv: given.pass_env ?? [],
    ...(output !== undefined && { output }),
    ...(given.probe && { probe: given.probe }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(model !== undefined && { model }),
    extraArgs: given.extra_args ?? [],
    ...(given.sandbox === "off" && { sandbox: "off" }),
    ...(given.network !== undefined && { network: given.network }),
    ...(given.home && { home: given.home }),
    ...(given.home_writable && { homeWritable: given.home_writable }),
    ...(given.readable && { readable: given.readable }),
    ...(given.memory_limit !== undefined && { memoryBytes: given.memory_limit }),
    ...(given.process_limit !== undefined && { processes: given.process_limit }),
    ...(given.file_limit !== undefined && { fileBytes: given.file_limit }),
    ...(given.repository_settings === "load" && { repositorySettings: "load" }),
  };
}

/** Set for every attempt, overriding the pack. */
const variablesOfAttempts = [
  ...["BATON_ENVELOPE", "BATON_PROMPT", "BATON_WORKSPACE", "BATON_PACK"],
  ...["BATON_TASK_ID", "BATON_DISPATCH_ID", "BATON_ATTEMPT", "TRACEPARENT"],
];

/** Of duplicate variables one value would win silently. */
function checkVariables(
  { env = {}, pass_env: passed = [] }: ValuesOf<typeof commandFields>,
  reading: Reading,
) {
  for (const name of Object.keys(env))
    if (variablesOfAttempts.includes(name))
      reading
        .at("env")
        .at(name)
        .reportInconsistent("is set by the hub for every attempt", "choose another name");
  for (const [index, item] of reading.at("pass_env").items().entries()) {
    const name = passed[index] ?? "";
    if (variablesOfAttempts.includes(name))
      item.reportInconsistent(`"${name}" is set by the hub for every attempt`, "leave it out");
    if (Object.hasOwn(env, name))
      item.reportInconsistent(`"${name}" is in env too`, "leave it out of one of them");
  }
}

/** Settings of the sandbox. */
const sandboxedOnly = [
  ...["network", "home", "home_writable", "readable", "memory_limit", "process_limit", "file_limit"],
] as const;
