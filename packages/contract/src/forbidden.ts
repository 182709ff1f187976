/**
 * What an agent may not do by its SafetyContext (A §2.5, DIS-16). The SDK asks before it happens, the hub when it hears of
 * it, and both with this, so that a list cannot mean one thing to an agent and another to its hub.
 */
import type { JsonObject } from "@bufbuild/protobuf";
import { isAllowed, isDenied, separators } from "./match-tool.ts";
import type { SafetyContext } from "./messages.ts";

/** A tool that is used, with what it is given. Of a program: `args`. Of a tool that runs a line of commands: `command`. */
export interface UsedTool {
  readonly name: string;
  readonly arguments: JsonObject;
}

export type Forbidden =
  | { readonly by: "deny-list" | "allow-list" }
  | { readonly by: "prohibited-action"; readonly action: string };

/** Undefined when it may be used. The deny list wins; a path is another program than the bare name. */
export function forbiddenUse(safety: SafetyContext | undefined, tool: UsedTool): Forbidden | undefined {
  const { toolAllowlist = [], toolDenylist = [] } = safety ?? {};
  if (isDenied(toolDenylist, tool)) return { by: "deny-list" };
  if (toolAllowlist.length > 0 && !isAllowed(toolAllowlist, tool)) return { by: "allow-list" };
  return forbiddenAction(safety, actionsOf(tool));
}

/** A prohibited action is a name, or the first words of a command: "git push" also prohibits "git push --force". */
export function forbiddenAction(
  safety: SafetyContext | undefined,
  actions: readonly string[],
): Forbidden | undefined {
  const done = actions.map(wordsOf);
  const action = safety?.prohibitedActions.find((prohibited) => {
    const words = wordsOf(prohibited);
    return words.length > 0 && done.some((one) => words.every((word, place) => word === one[place]));
  });
  return action === undefined ? undefined : { by: "prohibited-action", action };
}

/** What the use of a tool does, in words: its name with its arguments, and each command of a line that it runs. */
function actionsOf({ name, arguments: { args, command } }: UsedTool): readonly string[] {
  const list = Array.isArray(args) ? args.filter((word) => typeof word === "string") : [];
  const line = typeof command === "string" ? command.split(separators) : [];
  return [[name, ...list].join(" "), ...line];
}

function wordsOf(text: string): readonly string[] {
  return text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
}
