import { compileRule, evaluateRule, type Rule } from "@baton/kernel";
import type { JsonObject } from "@bufbuild/protobuf";
import type { ModelTool } from "./tool.ts";

const compiled = new WeakMap<ModelTool, Rule>();

/** Why a rule cannot be used; undefined when it can. */
export function ruleFault(tool: ModelTool): string | undefined {
  const rule = ruleOf(tool);
  return typeof rule === "string" ? rule : undefined;
}

/** Why a person is asked about this call; undefined when nobody is. A rule that fails asks. */
export function whyAsk(tool: ModelTool, args: JsonObject): string | undefined {
  const { ask } = tool;
  if (ask === undefined || ask === false) return undefined;
  if (ask === true) return "each call needs approval";
  const rule = ruleOf(tool);
  const applies = typeof rule === "string" ? rule : rule && evaluateRule(rule, args);
  if (applies === false) return undefined;
  return applies === true ? ask : `${ask} cannot be evaluated: ${applies}`;
}

function ruleOf(tool: ModelTool): Rule | string | undefined {
  const { ask, inputSchema, checksArguments } = tool;
  if (typeof ask !== "string") return undefined;
  const known = compiled.get(tool);
  if (known) return known;
  // The schema of a server that has rules of its own describes nothing here.
  const reading = compileRule(ask, "args", checksArguments ? {} : inputSchema);
  if (!reading.ok) return reading.problem.message;
  compiled.set(tool, reading.rule);
  return reading.rule;
}
