import { EscalationKind } from "@baton/contract/messages";
import { useWaiting } from "../../hub/waiting.tsx";
import { Link } from "../../router/link.tsx";
import { inboxAddress, runAddress } from "../../router/routes.ts";

/** More than these would push the agents out of sight. */
const most = 10;

/** Runs that stand still because no agent can take them, and why. */
export function Stuck() {
  const { value = [], hasMore } = useWaiting();
  const stuck = value.filter(
    ({ kind }) => kind === EscalationKind.ROUTING || kind === EscalationKind.ADMISSION,
  );
  if (stuck.length === 0 && !hasMore) return null;
  const hidden = Math.max(0, stuck.length - most);
  return (
    <section className="notice asks stuck" aria-label="No agent can take these">
      {stuck.length > 0 && <strong>No agent can take {stuck.length === 1 ? "this" : "these"} now</strong>}
      <ul>
        {stuck.slice(0, most).map(({ escalationId, pipelineId, stageId, snapshot }) => (
          <li key={escalationId}>
            <Link href={runAddress(pipelineId, stageId)}>{stageId || pipelineId}</Link>: {snapshot?.problem}.{" "}
            {snapshot?.recommended} <Link href={inboxAddress(escalationId)}>Decide it</Link>
          </li>
        ))}
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
