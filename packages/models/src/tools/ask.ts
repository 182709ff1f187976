import { type Condition, compileCondition, evaluateCondition } from "@baton/kernel";
import type { JsonObject } from "@bufbuild/protobuf";
import type { ModelTool } from "./tool.ts";

const compiled = new WeakMap<ModelTool, Condition>();

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
  if (rule === undefined || typeof rule === "string") return rule;
  const truth = evaluateCondition(rule, { nodes: new Map(), values: { args } });
  if (truth.kind === "false") return undefined;
  return truth.kind === "true" ? ask : truth.reason;
}

function ruleOf(tool: ModelTool): Condition | string | undefined {
  const { ask } = tool;
  if (typeof ask !== "string") return undefined;
  const known = compiled.get(tool);
  if (known) return known;
  const reading = compileCondition(ask, { nodes: [], values: ["args"] });
  if (!reading.ok) return reading.problem.message;
  compiled.set(tool, reading.condition);
  return reading.condition;
}
