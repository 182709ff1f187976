import { type AgentResult, AuditEventType } from "@baton/contract";
import { guardedAnswer, withheldResult } from "../../guardrails/answer.ts";
import { guardrailsFor } from "../../guardrails/policy.ts";
import { blockingVerdict, describeBlock, type Guarded, verdictView } from "../../guardrails/verdict.ts";
import { reportEnded, reportOverturned } from "../attempt/end-attempt.ts";
import type { Command } from "../decision/command.ts";
import type { Draft } from "../decision/draft.ts";
import { failStage } from "../stage/fail-stage.ts";
import type { Sent } from "../state/stage-state.ts";
import { reportOverspending } from "./accept-result.ts";
import { alignResult } from "./align-output.ts";

/** The guardrails that an answer has to pass before anybody sees it (SACP §9.1); undefined without any. */
export function guardCommand(
  draft: Draft,
  index: number,
  { dispatchId, choice }: Sent,
  result: AgentResult,
): Command | undefined {
  const policy = draft.world.guardrails;
  if (!policy) return undefined;
  const { id: stageId, taskType } = draft.plan(index);
  const origin = { packId: choice.packId, stageId, taskType, templateId: draft.state.templateId };
  const rules = guardrailsFor(policy, origin);
  const { redactFailures } = policy;
  if (rules.length === 0 && !redactFailures) return undefined;
  const answer = JSON.stringify(guardedAnswer(result));
  return { type: "guard", dispatchId, rules, redactFailures, origin, answer };
}

/** A blocked answer takes the error edge like any failure, and counts neither as a retry nor against its agent. */
export function decideGuarded(draft: Draft, index: number, sent: Sent, guarded: Guarded): void {
  const { verdicts, redacted } = guarded;
  const block = blockingVerdict(verdicts);
  draft.record({
    ...{ type: "guarded", stage: index, verdicts, atMs: draft.nowMs },
    ...(redacted && { redacted }),
  });
  const reason = block && describeBlock(block);
  draft.note(
    AuditEventType.GUARDRAILS_CHECKED,
    block ? "guardrails blocked an answer" : "guardrails passed an answer",
    {
      stage: index,
      sent,
      rationale: reason ?? "",
      snapshot: {
        case: "guardrails",
        value: {
          $typeName: "vasini.agent.v1.GuardrailSnapshot",
          verdicts: verdicts.map(verdictView),
          blocked: block !== undefined,
        },
      },
    },
  );
  const stage = draft.stage(index);
  if (stage.status !== "DISPATCHED" || stage.phase.kind !== "verifying") return;
  const { result } = stage.phase;
  if (reason === undefined) return alignResult(draft, index, sent, result);
  reportOverspending(draft, index, sent, result);
  reportEnded(draft, index, sent, "succeeded", "");
  reportOverturned(draft, sent, reason);
  failStage(draft, index, { code: "GUARDRAIL", reason, result: withheldResult(result, reason) });
}
