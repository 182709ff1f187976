import { type Escalation, EscalationKind, type Pipeline } from "@baton/contract/messages";
import { askingRules } from "@baton/kernel/deciding";
import { Ago } from "../../design/time.tsx";
import { orchestrator } from "../../hub/client.ts";
import { useLive } from "../../hub/use-live.ts";
import { Link } from "../../router/link.tsx";
import { runAddress } from "../../router/routes.ts";
import { AnswerForm } from "./answer-form.tsx";
import { InboxEvidence } from "./inbox-evidence.tsx";
import { kinds, risks } from "./kinds.ts";
import { OptionsForm } from "./options-form.tsx";
import { ReviewForm } from "./review-form.tsx";

interface InboxItemProps {
  readonly item: Escalation;
  readonly onDecided: () => void;
}

/** One question with everything that is needed to decide it. */
export function InboxItem({ item, onDecided }: InboxItemProps) {
  const { kind, riskTier, pipelineId, stageId, snapshot, raisedAt } = item;
  const { value: pipeline } = useLive(
    `run ${pipelineId}`,
    async (signal) => (await orchestrator.getPipeline({ pipelineId }, { signal })).pipeline,
    { touches: (record) => record.pipelineId === pipelineId },
  );
  const risk = risks[riskTier];
  return (
    <article className="card inbox-item" aria-labelledby="inbox-problem">
      <header>
        <strong>{kinds[kind]}</strong>
        <span className={`badge ${risk.tone}`}>{risk.word}</span>
        <span className="quiet">
          <Ago at={raisedAt} />
        </span>
      </header>
      <div className="card-body stack">
        <div className="stack tight">
          <h2 id="inbox-problem" className="wrap">
            {snapshot?.problem}
          </h2>
          <p className="muted">
            <Link href={runAddress(pipelineId, stageId)}>
              {pipeline?.pipelineName ?? pipelineId}
              {stageId !== "" && ` / ${stageId}`}
            </Link>
            {snapshot?.impact ? ` — ${snapshot.impact}` : ""}
          </p>
        </div>
        <InboxEvidence item={item} stage={pipeline?.stages.find((one) => one.stageId === stageId)} />
        <dl className="facts">
          {snapshot && snapshot.recommended !== "" && kind !== EscalationKind.CLARIFICATION && (
            <>
              <dt>The hub recommends</dt>
              <dd>{snapshot.recommended}</dd>
            </>
          )}
          <dt>Why you are asked</dt>
          <dd>{askingRules[kind]}</dd>
        </dl>
        {pipeline && <Decision item={item} pipeline={pipeline} onDecided={onDecided} />}
      </div>
    </article>
  );
}

function Decision({ item, pipeline, onDecided }: InboxItemProps & { readonly pipeline: Pipeline }) {
  if (item.kind === EscalationKind.REVIEW)
    return <ReviewForm item={item} pipeline={pipeline} onDecided={onDecided} />;
  if (item.kind === EscalationKind.CLARIFICATION) return <AnswerForm item={item} onDecided={onDecided} />;
  return <OptionsForm item={item} onDecided={onDecided} />;
}
