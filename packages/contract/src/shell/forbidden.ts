/**
 * What an agent may not do by its SafetyContext (A §2.5, DIS-16). The SDK checks before a tool runs, the hub when the use
 * is reported, and both with this function, so that a list means the same to an agent and to its hub.
 */
import type { JsonObject } from "@bufbuild/protobuf";
import type { SafetyContext } from "../messages.ts";
import { type Executed, executedByLine, executedByWords } from "./executed.ts";
import { isAllowed, isDenied } from "./match-tool.ts";
import { matchAction } from "./prohibited.ts";

/** A tool call. Programs have `args`; tools that run a command have it in `command` or one of `commandArguments`. */
export interface UsedTool {
  readonly name: string;
  readonly arguments: JsonObject;
}

export type Forbidden =
  | { readonly by: "deny-list" | "allow-list" }
  | {
      readonly by: "prohibited-action";
      readonly action: string;
      /** False when part of the command is unknown until it runs, and it could be the action. */
      readonly isCertain: boolean;
    };

/** Undefined when it may be used. The deny list wins; a path is another program than the bare name. */
export function forbiddenUse(safety: SafetyContext | undefined, tool: UsedTool): Forbidden | undefined {
  const { toolAllowlist = [], toolDenylist = [], prohibitedActions = [] } = safety ?? {};
  if (isDenied(toolDenylist, tool)) return { by: "deny-list" };
  if (toolAllowlist.length > 0 && !isAllowed(toolAllowlist, tool)) return { by: "allow-list" };
  return prohibitedActions.length === 0 ? undefined : findProhibited(prohibitedActions, executedBy(tool));
}

/**
 * An entry of `prohibited_actions` is a name, or a program with the words that follow it: "git push" also prohibits
 * `git -C app push --force` and `env X=1 sh -c "git push"`, and what could turn out to be one, such as `git $VERB`.
 */
export function forbiddenAction(safety: SafetyContext | undefined, action: string): Forbidden | undefined {
  const { prohibitedActions = [] } = safety ?? {};
  return prohibitedActions.length === 0
    ? undefined
    : findProhibited(prohibitedActions, [executedByLine(action)]);
}

function findProhibited(actions: readonly string[], done: readonly Executed[]): Forbidden | undefined {
  let possible: Forbidden | undefined;
  for (const action of actions) {
    const matches = done.map((executed) => matchAction(action, executed));
    if (matches.includes("does")) return { by: "prohibited-action", action, isCertain: true };
    if (matches.includes("may")) possible ??= { by: "prohibited-action", action, isCertain: false };
  }
  return possible;
}

/** Arguments in which tools take a command: a line, or a list of words. */
const commandArguments = ["command", "cmd", "commands", "script", "argv", "args"];

function executedBy({ name, arguments: given }: UsedTool): readonly Executed[] {
  const { args } = given;
  const found = [executedByWords([name, ...(isWords(args) ? args : [])])];
  for (const key of commandArguments) {
    const value = given[key];
    if (typeof value === "string") found.push(executedByLine(value));
    // Of a program, `args` follow its name, as above; a tool that runs commands may take a whole one.
    else if (isWords(value) && value.length > 0) found.push(executedByWords(value), ...lines(value));
  }
  return found;
}

/** A list may also be one of lines. */
function lines(words: readonly string[]): readonly Executed[] {
  return words.filter((word) => /\s/.test(word)).map(executedByLine);
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string");
}
