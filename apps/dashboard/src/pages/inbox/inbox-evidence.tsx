import {
  type Escalation,
  EscalationKind,
  type GetAttemptResponse,
  type Stage,
} from "@baton/contract/messages";
import { Code } from "../../design/code.tsx";
import { VisibleText } from "../../design/visible-text.tsx";
import { readAttempt } from "../../hub/read-attempt.ts";
import { useLive } from "../../hub/use-live.ts";
import { Link } from "../../router/link.tsx";
import { attemptAddress } from "../../router/routes.ts";
import { LeftOut } from "../run/left-out.tsx";
import { Changes } from "../run/tabs/artifacts-tab.tsx";
import { pairChecks } from "../run/tabs/evidence.ts";
import { Checks } from "../run/tabs/evidence-tab.tsx";
import { Texts } from "../run/tabs/tab.tsx";
import { useChanges } from "../run/use-attempts.ts";
import { ChangeUnderReview } from "./change-under-review.tsx";
import { WithheldAnswer } from "./withheld-answer.tsx";

/** The diff of an attempt, or the files that the agent reports when the hub has no diff. */
function Changed({ attempt: { summary, result } }: { readonly attempt: GetAttemptResponse }) {
  const { value: changes } = useChanges(summary);
  const files = result?.artifacts.map(({ path }) => path);
  if (changes === undefined || changes.reason !== "")
    return <Texts title="Files reported by the agent" texts={files} />;
  return <Changes changes={changes} />;
}

/** The evidence for a decision: checks of a review, or what the agent reported before it asked. */
export function InboxEvidence({
  item,
  stage,
}: {
  readonly item: Escalation;
  readonly stage: Stage | undefined;
}) {
  const { snapshot, kind } = item;
  const dispatchId = item.dispatchId || (stage?.dispatchId ?? "");
  const { value: attempt } = useLive(`attempt ${dispatchId}`, (signal) => readAttempt(dispatchId, signal), {
    touches: (record) => record.dispatchId === dispatchId,
    disabled: dispatchId === "",
  });
  if (kind === EscalationKind.ALIGNMENT) return <WithheldAnswer item={item} />;
  const admission = snapshot?.admission;
  if (admission)
    return (
      <dl className="facts">
        <dt>Queue</dt>
        <dd>
          {admission.queueDepth} of {admission.maxQueueDepth}
        </dd>
        {admission.breakerState !== "" && (
          <>
            <dt>Circuit breaker</dt>
            <dd>
              {admission.breakerState} for {admission.breakerScope}
            </dd>
          </>
        )}
      </dl>
    );
  if (!attempt?.result) {
    if (!attempt) return null;
    return (
      <div className="stack">
        <LeftOut attempt={attempt} />
        {kind === EscalationKind.REVIEW && <ChangeUnderReview dispatchId={dispatchId} named={undefined} />}
      </div>
    );
  }
  const { result, summary } = attempt;
  const pairs = pairChecks(attempt).filter(({ verdict }) => verdict !== "not-applicable");
  const thought = result.response?.thought ?? "";
  const words = result.status?.summary || result.status?.failureReason;
  // The question itself is displayed above.
  const isNews = words !== snapshot?.problem;
  return (
    <div className="stack">
      <p>
        <span className="quiet">
          {isNews ? `${summary?.packId} reports: ` : `Asked by ${summary?.packId}`}
        </span>
        {isNews && <VisibleText text={words ?? ""} isProse />}
        {summary && (
          <>
            {" "}
            <Link href={attemptAddress(item.pipelineId, summary)}>View attempt {summary.attemptNumber}</Link>
          </>
        )}
      </p>
      {kind === EscalationKind.CLARIFICATION && thought !== "" && <Code>{thought}</Code>}
      {pairs.length > 0 && <Checks pairs={pairs} />}
      {kind === EscalationKind.REVIEW ? (
        <ChangeUnderReview dispatchId={dispatchId} named={result.artifacts.map(({ path }) => path)} />
      ) : (
        <Changed attempt={attempt} />
      )}
      <Texts title="Risks" texts={result.contextOut?.risksIdentified} />
      <Texts title="Blockers" texts={result.blockers.map(({ description }) => description)} />
    </div>
  );
}
