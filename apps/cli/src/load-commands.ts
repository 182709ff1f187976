import type { Command } from "commander";

type Add = (program: Command) => void;

/** A line of the program's help: the command with its arguments, and what it does. */
type Entry = readonly [usage: string, summary: string];

/** The commands in the order of the help. Each part is a module that adds its commands. */
const parts: readonly (readonly [entries: readonly Entry[], load: () => Promise<Add>])[] = [
  [
    [["init [options] [folder]", "create a starter project"]],
    async () => (await import("./commands/hub/init.ts")).addInit,
  ],
  [
    [["check [options] [folder]", "validate the files of a project"]],
    async () => (await import("./commands/hub/check.ts")).addCheck,
  ],
  [
    [["up [options]", "start a hub on this machine"]],
    async () => (await import("./commands/hub/up.ts")).addUp,
  ],
  [
    [["open", "print a sign-in address of the page"]],
    async () => (await import("./commands/hub/open.ts")).addOpen,
  ],
  [
    [["run [options] [template]", "submit a task"]],
    async () => (await import("./commands/work/run.ts")).addRun,
  ],
  [
    [["watch [options]", "watch the events of all runs"]],
    async () => (await import("./commands/watching/watch.ts")).addWatch,
  ],
  [
    [["runs|pipeline", "list, show and steer runs"]],
    async () => (await import("./commands/runs/runs.ts")).addRuns,
  ],
  [
    [["rewind [options] <id>", "rewind a run and its branches to a transition"]],
    async () => (await import("./commands/work/rewind.ts")).addRewind,
  ],
  [
    [["rerun [options] <id>", "start a new run from a stage of another run"]],
    async () => (await import("./commands/work/rerun.ts")).addRerun,
  ],
  [
    [["inbox [options] [question]", "list open questions"]],
    async () => (await import("./commands/inbox/inbox.ts")).addInbox,
  ],
  [
    [
      ["approve [options] <review>", "approve work under review"],
      ["reject [options] <review>", "reject work under review"],
      ["answer [options] <question> <answer...>", "answer an open question"],
    ],
    async () => (await import("./commands/inbox/decide.ts")).addDecisions,
  ],
  [
    [["turns [options] <what>", "list the turns of agents: thought, action, observation"]],
    async () => (await import("./commands/work/turns.ts")).addTurns,
  ],
  [
    [["why <what>", "explain the routing of a stage"]],
    async () => (await import("./commands/work/why.ts")).addWhy,
  ],
  [
    [["workflow", "list workflows and draw their graphs"]],
    async () => (await import("./commands/work/workflow.ts")).addWorkflow,
  ],
  [
    [["eval [options] <file>", "run a workflow over cases and judge the answers"]],
    async () => (await import("./commands/work/eval.ts")).addEval,
  ],
  [
    [["agent", "list agents and restore quarantined ones"]],
    async () => (await import("./commands/hub/agent.ts")).addAgent,
  ],
  [
    [["spend [options]", "print what was spent, and raise a limit"]],
    async () => (await import("./commands/hub/spend.ts")).addSpend,
  ],
  [
    [["tool", "list pinned tools, and accept changed ones"]],
    async () => (await import("./commands/hub/tool.ts")).addTool,
  ],
  [
    [["cache", "list and revoke stored outcomes"]],
    async () => (await import("./commands/hub/cache.ts")).addCache,
  ],
  [
    [["feedback <run>", "state what you think of an outcome"]],
    async () => (await import("./commands/hub/learning.ts")).addFeedback,
  ],
  [
    [["lessons", "list and withdraw lessons of governed tasks"]],
    async () => (await import("./commands/hub/learning.ts")).addLessons,
  ],
  [
    [["heuristics", "show and change what identifies governed tasks"]],
    async () => (await import("./commands/hub/learning.ts")).addHeuristics,
  ],
  [[["tenant", "stop and start all work"]], async () => (await import("./commands/hub/tenant.ts")).addTenant],
  [
    [["audit", "read and verify the audit record"]],
    async () => (await import("./commands/audit/audit.ts")).addAudit,
  ],
  [[["key", "create an API key"]], async () => (await import("./commands/hub/key.ts")).addKey],
  [
    [["store", "back up and check the store of a hub"]],
    async () => (await import("./commands/hub/store.ts")).addStore,
  ],
];

/**
 * Adds the named command, or all of them. Without a name that exists, the program only prints its help or an error, for
 * which the line of each command is enough: loading all of them takes as long as a call of the hub.
 */
export async function addCommands(program: Command, name: string | "all" | undefined): Promise<void> {
  const named = parts.filter(([entries]) => entries.some(([usage]) => namesOf(usage).includes(name ?? "")));
  const loaded = name === "all" ? parts : named;
  for (const add of await Promise.all(loaded.map(([, load]) => load()))) add(program);
  if (loaded.length === 0)
    for (const [entries] of parts) for (const [usage] of entries) addLine(program, usage);
  for (const [usage, summary] of parts.flatMap(([entries]) => entries))
    program.commands.find((command) => command.name() === namesOf(usage)[0])?.summary(summary);
}

/** The line of a command in the program's help. */
export function usageOf(command: Command): string | undefined {
  return parts.flatMap(([entries]) => entries).find(([usage]) => namesOf(usage)[0] === command.name())?.[0];
}

function addLine(program: Command, usage: string): void {
  const [name = "", alias] = namesOf(usage);
  const command = program.command(name);
  if (alias !== undefined) command.alias(alias);
}

function namesOf(usage: string): readonly string[] {
  return usage.replace(/ .*/, "").split("|");
}
