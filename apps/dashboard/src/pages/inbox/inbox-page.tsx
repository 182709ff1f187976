import "./inbox.css";
import type { Escalation } from "@baton/contract/messages";
import { useEffect, useRef } from "react";
import { Empty } from "../../design/empty.tsx";
import { msOf } from "../../design/format-time.ts";
import { Trouble } from "../../design/trouble.tsx";
import { riskOrder } from "../../hub/read-waiting.ts";
import { useWaiting } from "../../hub/waiting.tsx";
import { useShortcut } from "../../router/keys.ts";
import { setQuery, useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { forgetDraft } from "./drafts.ts";
import { InboxRow } from "./inbox-row.tsx";
import { ShownItem } from "./shown-item.tsx";

/** Everything that waits for a person, what can do most damage first. */
export function InboxPage() {
  const { value, hasMore, problem, refresh } = useWaiting();
  const asked = useQuery().get("item") ?? "";
  // What was decided here is gone at once, and not only when the hub has told the list again.
  const decided = useRef(new Set<string>());
  const items = (value ?? [])
    .filter(({ escalationId }) => !decided.current.has(escalationId))
    .toSorted(byRisk);
  const byName = Map.groupBy(items, nameOf);
  const count = hasMore ? `${items.length}+` : String(items.length);
  useTitle(items.length > 0 ? `Inbox (${count})` : "Inbox");
  // What is shown stays shown, whatever comes in: its id is in the address from the beginning.
  const first = items[0]?.escalationId ?? "";
  useEffect(() => {
    if (asked === "" && first !== "") setQuery({ item: first });
  }, [asked, first]);
  const move = (step: number) => {
    const at = items.findIndex(({ escalationId }) => escalationId === asked);
    const next = items[Math.max(0, Math.min(items.length - 1, at + step))];
    if (next) setQuery({ item: next.escalationId });
  };
  useShortcut("j", "Next question", () => move(1));
  useShortcut("k", "Question before", () => move(-1));
  const onDecided = () => {
    forgetDraft(asked);
    decided.current.add(asked);
    setQuery({ item: "" });
    // The form that had the focus is gone, and the next question begins at its top.
    document.getElementById("content")?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    refresh();
  };
  return (
    <div className="stack">
      <div className="page-head">
        <h1>Inbox</h1>
        {items.length > 0 && (
          <span className="quiet">
            {hasMore
              ? `the first ${items.length} of more that wait, by risk`
              : `${items.length} waiting, by risk`}
          </span>
        )}
      </div>
      {problem && <Trouble problem={problem} />}
      {value === undefined && !problem && <div className="card inbox-loading" aria-busy="true" />}
      {value && items.length === 0 && asked === "" && (
        <div className="card">
          <Empty title="Nothing waits for you">
            <p>
              Reviews of critical work, questions of agents and runs that cannot go on by themselves appear
              here, with the evidence beside the buttons.
            </p>
          </Empty>
        </div>
      )}
      {value && asked !== "" && (
        <div className={items.length > 0 ? "inbox" : undefined}>
          {items.length > 0 && (
            <ul className="card inbox-list" aria-label="Waiting">
              {items.map((item) => (
                <InboxRow
                  key={item.escalationId}
                  item={item}
                  isSelected={item.escalationId === asked}
                  hasTwin={(byName.get(nameOf(item))?.length ?? 0) > 1}
                />
              ))}
            </ul>
          )}
          <ShownItem key={asked} asked={asked} items={items} onDecided={onDecided} />
        </div>
      )}
    </div>
  );
}

/** Questions of the same name can only be told apart by their ids. */
function nameOf({ pipelineName, stageId }: Escalation): string {
  return JSON.stringify([pipelineName, stageId]);
}

function byRisk(a: Escalation, b: Escalation): number {
  const risk = riskOrder.indexOf(a.riskTier) - riskOrder.indexOf(b.riskTier);
  return risk || (msOf(a.raisedAt) ?? 0) - (msOf(b.raisedAt) ?? 0);
}
