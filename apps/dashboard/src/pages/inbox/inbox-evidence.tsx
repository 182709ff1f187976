import { type Escalation, EscalationKind, type Stage } from "@baton/contract/messages";
import { Code } from "../../design/code.tsx";
import { inspection } from "../../hub/client.ts";
import { useLive } from "../../hub/use-live.ts";
import { pairChecks } from "../run/tabs/evidence.ts";
import { Checks } from "../run/tabs/evidence-tab.tsx";
import { Texts } from "../run/tabs/texts.tsx";

/** What was seen, next to the buttons: the checks of a review, or what an agent said before it asked. */
export function InboxEvidence({
  item,
  stage,
}: {
  readonly item: Escalation;
  readonly stage: Stage | undefined;
}) {
  const { snapshot, kind } = item;
  const dispatchId = item.dispatchId || (stage?.dispatchId ?? "");
  const { value: attempt } = useLive(
    `attempt ${dispatchId}`,
    (signal) => inspection.getAttempt({ dispatchId }, { signal }),
    { touches: (record) => record.dispatchId === dispatchId, disabled: dispatchId === "" },
  );
  const admission = snapshot?.admission;
  if (admission)
    return (
      <dl className="facts">
        <dt>Waiting</dt>
        <dd>
          {admission.queueDepth} of {admission.maxQueueDepth} that may
        </dd>
        {admission.breakerState !== "" && (
          <>
            <dt>Breaker</dt>
            <dd>
              {admission.breakerState} for {admission.breakerScope}
            </dd>
          </>
        )}
      </dl>
    );
  if (!attempt?.result) return null;
  const { result, summary } = attempt;
  const pairs = pairChecks(attempt).filter(({ verdict }) => verdict !== "not-applicable");
  const said = result.response?.thought ?? "";
  const words = result.status?.summary || result.status?.failureReason;
  // What an agent asks stands above already.
  const isNews = words !== snapshot?.problem;
  return (
    <div className="stack">
      <p>
        <span className="quiet">{isNews ? `${summary?.packId} says: ` : `Asked by ${summary?.packId}`}</span>
        {isNews && words}
      </p>
      {kind === EscalationKind.CLARIFICATION && said !== "" && <Code>{said}</Code>}
      {pairs.length > 0 && <Checks pairs={pairs} />}
      <Texts title="Files it touched" texts={result.artifacts.map(({ path }) => path)} />
      <Texts title="Risks it sees" texts={result.contextOut?.risksIdentified} />
      <Texts title="What stood in its way" texts={result.blockers.map(({ description }) => description)} />
    </div>
  );
}
