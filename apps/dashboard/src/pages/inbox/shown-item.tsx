import type { Escalation } from "@baton/contract/messages";
import { Empty } from "../../design/empty.tsx";
import { Trouble } from "../../design/trouble.tsx";
import { Link } from "../../router/link.tsx";
import { AnsweredItem } from "./answered-item.tsx";
import { InboxItem } from "./inbox-item.tsx";
import { useQuestion } from "./use-question.ts";

/** The questions that one answer is for, as the list has them. */
function sameCause(item: Escalation, items: readonly Escalation[]): readonly Escalation[] {
  const group = items.filter(({ cause }) => cause !== "" && cause === item.cause);
  return group.includes(item) ? group : [item, ...group];
}

interface ShownItemProps {
  /** The id in the address. */
  readonly asked: string;
  readonly items: readonly Escalation[];
  readonly onDecided: (alsoDecided?: readonly string[]) => void;
}

/** The question that the address names, and never another: to decide, or with the answer that it was given. */
export function ShownItem({ asked, items, onDecided }: ShownItemProps) {
  const waiting = items.find(({ escalationId }) => escalationId === asked);
  const { value: found, problem } = useQuestion(asked, waiting !== undefined);
  const item = waiting ?? found?.item;
  if (item && (waiting || !item.resolvedAt))
    return <InboxItem item={item} group={sameCause(item, items)} onDecided={onDecided} />;
  if (item) return <AnsweredItem item={item} />;
  if (problem) return <Trouble problem={problem} />;
  if (!found) return <div className="card inbox-loading" aria-busy="true" />;
  return (
    <div className="card">
      <Empty title="There is no such question">
        <p className="wrap">
          Nothing of the id <code>{asked}</code> was ever asked here.
        </p>
        <Link href="/inbox">See what waits</Link>
      </Empty>
    </div>
  );
}
