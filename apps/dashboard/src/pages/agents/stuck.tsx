import { EscalationKind } from "@baton/contract/messages";
import { groupByCause } from "@baton/kernel/deciding";
import { useWaiting } from "../../hub/waiting.tsx";
import { Link } from "../../router/link.tsx";
import { inboxAddress, runAddress } from "../../router/routes.ts";
import { countOf } from "../inbox/same-cause.tsx";

/** More than these would push the agents out of sight. */
const most = 10;

/** Runs that stand still because no agent can take them, and why. */
export function Stuck() {
  const { value = [], hasMore } = useWaiting();
  const stuck = value.filter(
    ({ kind }) => kind === EscalationKind.ROUTING || kind === EscalationKind.ADMISSION,
  );
  if (stuck.length === 0 && !hasMore) return null;
  const groups = groupByCause(stuck);
  const hidden = Math.max(0, groups.length - most);
  return (
    <section className="notice asks stuck" aria-label="No agent can take these">
      {stuck.length > 0 && <strong>No agent can take {stuck.length === 1 ? "this" : "these"} now</strong>}
      <ul>
        {groups.slice(0, most).map((group) => {
          const [{ escalationId, pipelineId, stageId, snapshot }] = group;
          return (
            <li key={escalationId}>
              <Link href={runAddress(pipelineId, stageId)}>{stageId || pipelineId}</Link>
              {group.length > 1 && ` (${countOf(group)})`}: {snapshot?.problem}.{" "}
              {asSentence(snapshot?.recommended ?? "")}{" "}
              <Link href={inboxAddress(escalationId)}>Decide now</Link>
            </li>
          );
        })}
      </ul>
      {(hidden > 0 || hasMore) && (
        <p>
          {hidden > 0 && `And ${hidden} more. `}
          {hasMore && `More than ${value.length} questions wait for you, and not all were looked at here. `}
          <Link href="/inbox">Open the inbox</Link>
        </p>
      )}
    </section>
  );
}

function asSentence(text: string): string {
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
