import { type Escalation, EscalationKind } from "@baton/contract/messages";
import { Ago } from "../../design/time.tsx";
import { setQuery } from "../../router/location.ts";
import { kinds, risks } from "./kinds.ts";
import { Size } from "./size.tsx";

interface InboxRowProps {
  readonly item: Escalation;
  readonly isSelected: boolean;
  /** Another question has the same run's name and stage: only the id tells them apart. */
  readonly hasTwin: boolean;
}

/** One question in the list: the run first, then who, how much and since when. */
export function InboxRow({ item, isSelected, hasTwin }: InboxRowProps) {
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
        onClick={() => setQuery({ item: escalationId })}
      >
        <span className="inbox-top">
          <strong className="inbox-text">{pipelineName || pipelineId}</strong>
          <span className={`badge ${risk.tone}`}>{risk.word}</span>
        </span>
        {/* A review says the same of every stage. */}
        {!isReview && <span className="muted inbox-text">{snapshot?.problem}</span>}
        <span className="muted inbox-facts">
          <span>{kinds[kind]}</span>
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
