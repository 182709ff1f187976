import { type Escalation, EscalationKind } from "@baton/contract/messages";
import { Ago } from "../../design/time.tsx";
import { setQuery } from "../../router/location.ts";
import { showQuestion } from "./go-to-decision.ts";
import { kinds, risks } from "./kinds.ts";
import { countOf, runsOf } from "./same-cause.tsx";
import { Size } from "./size.tsx";

interface InboxRowProps {
  /** The questions with one cause, usually one. */
  readonly group: readonly [Escalation, ...Escalation[]];
  readonly isSelected: boolean;
  /** Another question has the same run name and stage, so the id is displayed. */
  readonly hasTwin: boolean;
}

export function InboxRow({ group, isSelected, hasTwin }: InboxRowProps) {
  const [item] = group;
  const more = runsOf(group).length - 1;
  const { escalationId, kind, riskTier, pipelineId, pipelineName, packId, stageId, snapshot, raisedAt } =
    item;
  const risk = risks[riskTier];
  const isReview = kind === EscalationKind.REVIEW;
  return (
    <li>
      <button
        type="button"
        className="inbox-row"
        aria-pressed={isSelected}
        onClick={() => {
          setQuery({ item: escalationId });
          requestAnimationFrame(showQuestion);
        }}
      >
        <span className="inbox-top">
          <strong className="inbox-text">
            {pipelineName || pipelineId}
            {more > 0 && ` and ${more} more`}
          </strong>
          <span className={`badge ${risk.tone}`}>{risk.word}</span>
        </span>
        {/* The problem text of a review is the same for every stage. */}
        {!isReview && <span className="muted inbox-text">{snapshot?.problem}</span>}
        <span className="muted inbox-facts">
          <span>{kinds[kind]}</span>
          {group.length > 1 && <span>{countOf(group)}</span>}
          {stageId !== "" && <span>{stageId}</span>}
          {packId !== "" && <span>{packId}</span>}
          {snapshot?.change && <Size size={snapshot.change} />}
          <Ago at={raisedAt} />
          {hasTwin && <code>{pipelineId}</code>}
        </span>
      </button>
    </li>
  );
}
