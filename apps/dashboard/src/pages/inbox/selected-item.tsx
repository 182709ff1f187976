import type { Escalation } from "@baton/contract/messages";
import { Empty } from "../../design/empty.tsx";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { orchestrator } from "../../hub/client.ts";
import { quoted } from "../../hub/read-pages.ts";
import { fallbackMs, type Live, useLive } from "../../hub/use-live.ts";
import { Link } from "../../router/link.tsx";
import { AnsweredItem } from "./answered-item.tsx";
import { InboxItem } from "./inbox-item.tsx";

/** The listed questions with the same cause. */
function sameCause(item: Escalation, items: readonly Escalation[]): readonly Escalation[] {
  const group = items.filter(({ cause }) => cause !== "" && cause === item.cause);
  return group.includes(item) ? group : [item, ...group];
}

interface SelectedItemProps {
  /** The id in the address. */
  readonly asked: string;
  readonly items: readonly Escalation[];
  readonly onDecided: (alsoDecided?: readonly string[]) => void;
}

/** The question that the address names: open with its form, or resolved with its answer. */
export function SelectedItem({ asked, items, onDecided }: SelectedItemProps) {
  const waiting = items.find(({ escalationId }) => escalationId === asked);
  const { value: found, problem } = useQuestion(asked, waiting !== undefined);
  const item = waiting ?? found?.item;
  if (item && (waiting || !item.resolvedAt))
    return <InboxItem item={item} group={sameCause(item, items)} onDecided={onDecided} />;
  if (item) return <AnsweredItem item={item} />;
  if (problem) return <ProblemNotice problem={problem} />;
  if (!found) return <div className="card inbox-loading" aria-busy="true" />;
  return (
    <div className="card">
      <Empty title="Question not found">
        <p className="wrap">
          No question has the id <code>{asked}</code>.
        </p>
        <Link href="/inbox">View open questions</Link>
      </Empty>
    </div>
  );
}

/** Longer ids do not exist. */
const maxIdLength = 300;

interface Found {
  /** Open or resolved; undefined when there is no question with this id. */
  readonly item: Escalation | undefined;
}

/** Reads a question that is not in the list: resolved, beyond the listed ones, or unknown. */
function useQuestion(escalationId: string, disabled: boolean): Live<Found> {
  return useLive(
    `question ${escalationId}`,
    async (signal) => {
      const filter = `escalation_id = ${quoted(escalationId.slice(0, maxIdLength))}`;
      const { escalations } = await orchestrator.listEscalations({ filter, pageSize: 1 }, { signal });
      return { item: escalations[0] };
    },
    { touches: () => false, changeHints: ({ inbox }) => inbox, everyMs: fallbackMs, disabled },
  );
}
