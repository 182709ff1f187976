import "./inbox.css";
import { type Escalation, RiskTier } from "@baton/contract/messages";
import { Empty } from "../../design/empty.tsx";
import { msOf } from "../../design/format-time.ts";
import { Trouble } from "../../design/trouble.tsx";
import { useWaiting } from "../../hub/waiting.tsx";
import { useShortcut } from "../../router/keys.ts";
import { setQuery, useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { InboxItem } from "./inbox-item.tsx";
import { InboxRow } from "./inbox-row.tsx";

/** Everything that waits for a person, what can do most damage first. */
export function InboxPage() {
  const { value, problem, refresh } = useWaiting();
  const asked = useQuery().get("item") ?? "";
  const items = (value ?? []).toSorted(byRisk);
  const selected = items.find(({ escalationId }) => escalationId === asked) ?? items[0];
  useTitle(items.length > 0 ? `Inbox (${items.length})` : "Inbox");
  const move = (step: number) => {
    const at = selected ? items.indexOf(selected) : -1;
    const next = items[Math.max(0, Math.min(items.length - 1, at + step))];
    if (next) setQuery({ item: next.escalationId });
  };
  useShortcut("j", "Next question", () => move(1));
  useShortcut("k", "Question before", () => move(-1));
  return (
    <div className="stack">
      <div className="page-head">
        <h1>Inbox</h1>
        {items.length > 0 && <span className="quiet">{items.length} waiting, by risk</span>}
      </div>
      {problem && <Trouble problem={problem} />}
      {value === undefined && !problem && <div className="card inbox-loading" aria-busy="true" />}
      {value && items.length === 0 && (
        <div className="card">
          <Empty title="Nothing waits for you">
            <p>
              Reviews of critical work, questions of agents and runs that cannot go on by themselves appear
              here, with the evidence beside the buttons.
            </p>
          </Empty>
        </div>
      )}
      {selected && (
        <div className="inbox">
          <ul className="card inbox-list" aria-label="Waiting">
            {items.map((item) => (
              <InboxRow key={item.escalationId} item={item} isSelected={item === selected} />
            ))}
          </ul>
          <InboxItem key={selected.escalationId} item={selected} onDecided={refresh} />
        </div>
      )}
    </div>
  );
}

const order = [RiskTier.CRITICAL, RiskTier.NORMAL, RiskTier.UNSPECIFIED, RiskTier.LOW];

function byRisk(a: Escalation, b: Escalation): number {
  const risk = order.indexOf(a.riskTier) - order.indexOf(b.riskTier);
  return risk || (msOf(a.raisedAt) ?? 0) - (msOf(b.raisedAt) ?? 0);
}
