import { celType, isCelError, plan } from "@bufbuild/cel";
import type { JsonObject } from "@bufbuild/protobuf";
import { clip, type GraphProblem } from "../problem.ts";
import { parseCondition } from "./ast.ts";
import { conditionEnv } from "./cel-functions.ts";
import { celFromJson } from "./cel-json.ts";
import { type Bindings, checkCondition, type Program, problemOf, withoutStacks } from "./condition.ts";
import { startMeter } from "./meter.ts";

/** A CEL expression over one JSON object, such as the arguments of a tool (SACP §8). */
export interface Rule {
  readonly source: string;
  /** The name of the object in the expression. */
  readonly name: string;
  readonly program: Program;
}

export type CompiledRule =
  | { readonly ok: true; readonly rule: Rule }
  | { readonly ok: false; readonly problem: GraphProblem };

/** Compiles a rule, and finds every fault that does not depend on the object. Its schema may be empty. */
export function compileRule(source: string, name: string, schema: JsonObject): CompiledRule {
  try {
    const ast = parseCondition(source);
    const { macroParts } = checkCondition(ast, { nodes: new Set(), values: new Map([[name, schema]]) });
    const program: Program = {
      run: plan(conditionEnv, ast.root) as Program["run"],
      ast,
      weight: 1 + macroParts,
    };
    return { ok: true, rule: { source, name, program } };
  } catch (error) {
    return { ok: false, problem: problemOf(source, error) };
  }
}

/** Whether the rule applies; a reason when it cannot be evaluated. Never throws. */
export function evaluateRule({ name, program }: Rule, object: JsonObject): boolean | string {
  try {
    startMeter(program.weight);
    const bindings: Bindings = Object.create(null);
    bindings[name] = celFromJson(object) as Bindings[string];
    const result = withoutStacks(() => program.run(bindings));
    if (typeof result === "boolean") return result;
    return clip(isCelError(result) ? result.message : `it is ${celType(result).name}, not a boolean`);
  } catch (error) {
    return clip(error instanceof Error ? error.message : String(error));
  }
}
