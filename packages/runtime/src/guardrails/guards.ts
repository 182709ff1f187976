import {
  checkBuiltIn,
  type Guarded,
  type GuardedAnswer,
  type Guardrail,
  type GuardrailPolicy,
  type GuardrailScope,
  type GuardVerdict,
  guardrailLimits,
  type Redactor,
  redactFailure,
  shortReason,
} from "@baton/kernel";
import type { Clock } from "../ports/clock.ts";
import type { Guards } from "../ports/outside.ts";
import type { RunGuard } from "./guard-commands.ts";

/** A guardrail that is a function of the program that embeds the hub. Throwing, or being late, blocks the answer. */
export interface GuardrailFunction {
  readonly name: string;
  check(answer: GuardedAnswer, signal: AbortSignal): FunctionVerdict | Promise<FunctionVerdict>;
  /** Default: 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Default: all answers. */
  readonly scope?: GuardrailScope | undefined;
}

export type FunctionVerdict =
  | { readonly pass: true }
  | { readonly pass: false; readonly reason: string; readonly path?: string | undefined };

export interface GuardParts extends Pick<Clock, "after" | "soon"> {
  readonly redactor: Redactor;
  readonly functions: readonly GuardrailFunction[];
  readonly runCommand: RunGuard;
}

/** Adds the functions to the policy in force. The result stays the same object while the policy does. */
export function withFunctions(
  current: () => GuardrailPolicy | undefined,
  functions: readonly GuardrailFunction[],
): () => GuardrailPolicy | undefined {
  if (functions.length === 0) return current;
  const rules = functions.map(
    ({ name, timeoutMs = guardrailLimits.defaultTimeoutMs, scope = {} }): Guardrail => ({
      ...{ name, scope, parts: [] },
      check: { kind: "function", timeoutMs },
    }),
  );
  let last: { readonly of: GuardrailPolicy | undefined; readonly combined: GuardrailPolicy } | undefined;
  return () => {
    const policy = current();
    if (!last || last.of !== policy) {
      const { redactFailures = false, rules: own = [] } = policy ?? {};
      last = { of: policy, combined: { redactFailures, rules: [...own, ...rules] } };
    }
    return last.combined;
  };
}

/** Checks answers in the order of the configuration, up to the first guardrail that blocks. */
export function createGuards(parts: GuardParts): Guards {
  return {
    async check({ rules, redactFailures, answer: json, origin }, signal): Promise<Guarded> {
      const answer = JSON.parse(json) as GuardedAnswer;
      const verdicts: GuardVerdict[] = [];
      for (const rule of rules) {
        signal.throwIfAborted();
        const verdict = await decide(rule, answer, { ...parts, origin }, signal);
        verdicts.push(verdict);
        if (verdict.decision !== "PASSED") return { verdicts };
      }
      const redacted = redactFailures ? redactFailure(answer, parts.redactor) : undefined;
      if (!redacted) return { verdicts };
      return { verdicts: [...verdicts, redactedVerdict], redacted };
    },
  };
}

const redactedVerdict: GuardVerdict = {
  name: "redact_failures",
  decision: "REDACTED",
  rule: "failure_message",
  reason: "the message of a failure held sensitive data",
  path: "response.message",
};

type Context = GuardParts & { readonly origin: object };

async function decide(
  { name, check, parts }: Guardrail,
  answer: GuardedAnswer,
  context: Context,
  signal: AbortSignal,
): Promise<GuardVerdict> {
  const { redactor } = context;
  const verdict = (decision: GuardVerdict["decision"], reason = "", path = ""): GuardVerdict => ({
    ...{ name, decision, rule: check.kind, path },
    // Commands and functions may repeat what they found.
    reason: reason && shortReason(redactor.redactText(reason).text),
  });
  try {
    if (check.kind === "function") {
      const own = context.functions.find((one) => one.name === name);
      if (!own) return verdict("ERROR", "this hub has no such function");
      const found = await inTime(check.timeoutMs, context, signal, async (late) => own.check(answer, late));
      if (found.pass === true) return verdict("PASSED");
      return verdict("BLOCKED", String(found.reason) || "the function gives no reason", found.path ?? "");
    }
    if (check.kind === "command") {
      const input = JSON.stringify({ ...answer, origin: context.origin });
      const found = await context.runCommand(check, input, signal);
      return found.ok ? verdict("PASSED") : verdict(found.failed ? "ERROR" : "BLOCKED", found.reason);
    }
    const work = checkBuiltIn(check, answer, parts, redactor);
    let next = work.next();
    while (!next.done) {
      await new Promise<void>((resolve) => context.soon(resolve));
      next = work.next();
    }
    return next.value ? verdict("BLOCKED", next.value.reason, next.value.path) : verdict("PASSED");
  } catch (error) {
    signal.throwIfAborted();
    return verdict("ERROR", error instanceof Error ? error.message : String(error));
  }
}

/** Rejects when the work is late. Its signal is aborted, and what it does afterwards no longer counts. */
async function inTime<Value>(
  timeoutMs: number,
  { after }: Pick<Clock, "after">,
  signal: AbortSignal,
  work: (late: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const late = new AbortController();
  let stop = () => {};
  const timeout = new Promise<never>((_, reject) => {
    stop = after(timeoutMs, () => {
      reject(new Error(`no answer after ${timeoutMs} ms`));
      late.abort();
    });
  });
  try {
    return await Promise.race([work(AbortSignal.any([signal, late.signal])), timeout]);
  } finally {
    stop();
  }
}
