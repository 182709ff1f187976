import type { BudgetSchema } from "@baton/contract";
import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";

/** Of the file of an evaluation, and of what a grader receives. */
export const evaluationLimits = {
  cases: 1_000,
  /** Of every case, and the same again of one. */
  checks: 20,
  repeat: 100,
  concurrency: 32,
  timeoutMs: 24 * 3_600_000,
  criteriaChars: 10_000,
} as const;

/** A set of inputs with checks, run over a workflow (SACP §4, §10). */
export interface Evaluation {
  readonly name: string;
  /** A workflow or a template. */
  readonly workflow: string;
  /** Runs of each case. */
  readonly repeat: number;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly budget: MessageInitShape<typeof BudgetSchema> | undefined;
  /** The part of the runs that has to pass. */
  readonly passRate: number;
  /** Of every case. */
  readonly checks: readonly Check[];
  readonly cases: readonly EvaluationCase[];
}

export interface EvaluationCase {
  readonly id: string;
  readonly title: string;
  readonly accept: readonly string[];
  readonly inputs: JsonObject;
  readonly ends: ExpectedEnd;
  readonly checks: readonly Check[];
}

export type ExpectedEnd = "completed" | "failed" | "waiting";

export type Check =
  | { readonly kind: "condition"; readonly id: string; readonly source: string }
  | {
      readonly kind: "schema";
      readonly id: string;
      readonly node: string | undefined;
      readonly schema: JsonObject;
    }
  | {
      readonly kind: "grader";
      readonly id: string;
      readonly node: string | undefined;
      readonly taskType: string;
      readonly criteria: string;
    };

/** What became of one check: passed without a reason. */
export interface Finding {
  readonly check: string;
  readonly passed: boolean;
  readonly reason: string;
}
