import { type Escalation, EscalationKind, type Pipeline } from "@baton/contract/messages";
import { escalationRules, list, stagesUnderReview } from "@baton/kernel/deciding";
import { Ago } from "../../design/time.tsx";
import { orchestrator } from "../../hub/client.ts";
import { useLive } from "../../hub/use-live.ts";
import { Link } from "../../router/link.tsx";
import { runAddress } from "../../router/routes.ts";
import { AnswerForm } from "./forms/answer-form.tsx";
import { OptionsForm } from "./forms/options-form.tsx";
import { ReviewForm } from "./forms/review-form.tsx";
import { goToDecision } from "./go-to-decision.ts";
import { InboxEvidence } from "./inbox-evidence.tsx";
import { kinds, risks } from "./kinds.ts";
import { SameCause } from "./same-cause.tsx";
import { SentBackBefore } from "./sent-back-before.tsx";
import { Size } from "./size.tsx";

interface InboxItemProps {
  readonly item: Escalation;
  /** The questions with the same cause, this one included. */
  readonly group: readonly Escalation[];
  readonly onDecided: (alsoDecided?: readonly string[]) => void;
}

export function InboxItem({ item, group, onDecided }: InboxItemProps) {
  const { kind, riskTier, pipelineId, stageId, snapshot, raisedAt } = item;
  const { value: pipeline } = useLive(
    `run ${pipelineId}`,
    async (signal) => (await orchestrator.getPipeline({ pipelineId }, { signal })).pipeline,
    { touches: (record) => record.pipelineId === pipelineId },
  );
  const risk = risks[riskTier];
  const work = kind === EscalationKind.REVIEW && pipeline ? otherWork(pipeline, stageId) : [];
  return (
    <article className="card inbox-item" aria-labelledby="inbox-problem">
      <header>
        <strong>{kinds[kind]}</strong>
        <span className={`badge ${risk.tone}`}>{risk.word}</span>
        <button type="button" className="button small to-decision" onClick={goToDecision}>
          Go to decision
        </button>
      </header>
      <div className="card-body stack">
        <div className="stack tight">
          <h2 className="wrap">
            <Link href={runAddress(pipelineId, stageId)}>
              {item.pipelineName || pipeline?.pipelineName || pipelineId}
            </Link>
          </h2>
          <p className="muted inbox-facts">
            {stageId !== "" && <span>Stage {stageId}</span>}
            {item.packId !== "" && <span>Agent {item.packId}</span>}
            {snapshot?.change && <Size size={snapshot.change} />}
            <span>
              asked <Ago at={raisedAt} />
            </span>
          </p>
        </div>
        <div className="stack tight">
          <h3 id="inbox-problem" className="wrap">
            {snapshot?.problem}
          </h3>
          {work.length > 0 && <p className="muted">Reviews the work of {list(work)}.</p>}
          {snapshot?.impact ? <p className="muted">Until answered: {snapshot.impact}.</p> : null}
          {group.length > 1 && <SameCause group={group} />}
        </div>
        {snapshot && snapshot.notices.length > 0 && (
          <section className="stack tight" aria-labelledby="inbox-notices">
            <h3 id="inbox-notices">Before you decide</h3>
            <ul className="texts">
              {snapshot.notices.map((notice) => (
                <li key={notice} className="wrap">
                  {notice}
                </li>
              ))}
            </ul>
          </section>
        )}
        {kind === EscalationKind.REVIEW && pipeline && (
          <SentBackBefore pipeline={pipeline} stageId={stageId} />
        )}
        <InboxEvidence item={item} stage={pipeline?.stages.find((one) => one.stageId === stageId)} />
        <dl className="facts">
          {snapshot && snapshot.recommended !== "" && kind !== EscalationKind.CLARIFICATION && (
            <>
              <dt>Recommended</dt>
              <dd>{snapshot.recommended}</dd>
            </>
          )}
          <dt>Why you are asked</dt>
          <dd>{escalationRules[kind]}</dd>
        </dl>
        {pipeline && <Decision item={item} group={group} pipeline={pipeline} onDecided={onDecided} />}
      </div>
    </article>
  );
}

/** The stages under review when the asking stage is not one of them. */
function otherWork(pipeline: Pipeline, stageId: string): readonly string[] {
  const stages = stagesUnderReview(pipeline, stageId);
  return stages.includes(stageId) ? [] : stages;
}

function Decision({ item, group, pipeline, onDecided }: InboxItemProps & { readonly pipeline: Pipeline }) {
  const onAlone = () => onDecided();
  if (item.kind === EscalationKind.REVIEW)
    return <ReviewForm item={item} pipeline={pipeline} onDecided={onAlone} />;
  if (item.kind === EscalationKind.CLARIFICATION) return <AnswerForm item={item} onDecided={onAlone} />;
  return <OptionsForm item={item} group={group} onDecided={onDecided} />;
}
