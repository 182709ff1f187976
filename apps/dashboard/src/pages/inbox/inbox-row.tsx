import type { Escalation } from "@baton/contract/messages";
import { Ago } from "../../design/time.tsx";
import { setQuery } from "../../router/location.ts";
import { kinds, risks } from "./kinds.ts";

export function InboxRow({ item, isSelected }: { readonly item: Escalation; readonly isSelected: boolean }) {
  const { escalationId, kind, riskTier, stageId, snapshot, raisedAt } = item;
  const risk = risks[riskTier];
  return (
    <li>
      <button
        type="button"
        className="inbox-row"
        aria-pressed={isSelected}
        onClick={() => setQuery({ item: escalationId })}
      >
        <span className="row">
          <strong>{kinds[kind]}</strong>
          <span className={`badge ${risk.tone}`}>{risk.word}</span>
        </span>
        <span className="muted inbox-text">{snapshot?.problem}</span>
        <span className="quiet inbox-when">
          {stageId} <Ago at={raisedAt} />
        </span>
      </button>
    </li>
  );
}
