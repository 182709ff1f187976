import "./inbox.css";
import type { Escalation } from "@baton/contract/messages";
import { groupByCause } from "@baton/kernel/deciding";
import { useEffect, useRef } from "react";
import { Empty } from "../../design/empty.tsx";
import { msOf } from "../../design/format-time.ts";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { riskOrder } from "../../hub/read-waiting.ts";
import { useWaiting } from "../../hub/waiting.tsx";
import { useShortcut } from "../../router/keys.ts";
import { setQuery, useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { forgetDraft } from "./forms/drafts.ts";
import { showQuestion } from "./go-to-decision.ts";
import { InboxRow } from "./inbox-row.tsx";
import { SelectedItem } from "./selected-item.tsx";

/** Decided in this tab: removed at once, before the hub sends the new list. */
const decided = new Set<string>();

/** All open questions, the highest risk first. */
export function InboxPage() {
  const { value, hasMore, problem, refresh } = useWaiting();
  const asked = useQuery().get("item") ?? "";
  const items = (value ?? []).filter(({ escalationId }) => !decided.has(escalationId)).toSorted(byRisk);
  const groups = groupByCause(items);
  const byName = Map.groupBy(groups, ([first]) => nameOf(first));
  const count = hasMore ? `${groups.length}+` : String(groups.length);
  useTitle(items.length > 0 ? `Inbox (${count})` : "Inbox");
  // The selection is in the address, so a new question does not replace it.
  const first = items[0]?.escalationId ?? "";
  useEffect(() => {
    if (asked === "" && first !== "") setQuery({ item: first });
  }, [asked, first]);
  // A link names a question: scroll to it, past the list.
  const isLinked = useRef(asked !== "");
  const isListed = value !== undefined;
  useEffect(() => {
    if (!isListed || !isLinked.current) return;
    isLinked.current = false;
    showQuestion();
  }, [isListed]);
  const move = (step: number) => {
    const at = groups.findIndex((group) => isIn(group, asked));
    const [next] = groups[Math.max(0, Math.min(groups.length - 1, at + step))] ?? [];
    if (next) setQuery({ item: next.escalationId });
  };
  useShortcut("j", "Next question", () => move(1));
  useShortcut("k", "Previous question", () => move(-1));
  const onDecided = (alsoDecided: readonly string[] = []) => {
    for (const id of [asked, ...alsoDecided]) {
      forgetDraft(id);
      decided.add(id);
    }
    setQuery({ item: "" });
    // The focused form is gone, and the next question starts at its top.
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
              ? `the first ${groups.length} open questions, by risk`
              : `${groups.length} open, by risk`}
          </span>
        )}
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {value === undefined && !problem && <div className="card inbox-loading" aria-busy="true" />}
      {value && items.length === 0 && asked === "" && (
        <div className="card">
          <Empty title="Nothing needs your input">
            <p>
              Reviews, questions from agents and runs that cannot continue on their own appear here, with the
              evidence to decide them.
            </p>
          </Empty>
        </div>
      )}
      {value && asked !== "" && (
        <div className={items.length > 0 ? "inbox" : undefined}>
          {items.length > 0 && (
            <ul className="card inbox-list" aria-label="Open questions">
              {groups.map((group) => (
                <InboxRow
                  key={group[0].escalationId}
                  group={group}
                  isSelected={isIn(group, asked)}
                  hasTwin={(byName.get(nameOf(group[0]))?.length ?? 0) > 1}
                />
              ))}
            </ul>
          )}
          <SelectedItem key={asked} asked={asked} items={items} onDecided={onDecided} />
        </div>
      )}
    </div>
  );
}

function isIn(group: readonly Escalation[], escalationId: string): boolean {
  return group.some((one) => one.escalationId === escalationId);
}

/** Questions with the same name are distinguished by id. */
function nameOf({ pipelineName, stageId }: Escalation): string {
  return JSON.stringify([pipelineName, stageId]);
}

function byRisk(a: Escalation, b: Escalation): number {
  const risk = riskOrder.indexOf(a.riskTier) - riskOrder.indexOf(b.riskTier);
  return risk || (msOf(a.raisedAt) ?? 0) - (msOf(b.raisedAt) ?? 0);
}
