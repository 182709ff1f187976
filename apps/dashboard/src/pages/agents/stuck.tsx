import { EscalationKind } from "@baton/contract/messages";
import { groupByCause } from "@baton/kernel/deciding";
import { useWaiting } from "../../hub/waiting.tsx";
import { Link } from "../../router/link.tsx";
import { inboxAddress, runAddress } from "../../router/routes.ts";
import { countOf } from "../inbox/same-cause.tsx";

/** More would push the agents off the screen. */
const maxListed = 10;

/** Runs that wait for an agent, with the reason. */
export function Stuck() {
  const { value = [], hasMore } = useWaiting();
  const stuck = value.filter(
    ({ kind }) => kind === EscalationKind.ROUTING || kind === EscalationKind.ADMISSION,
  );
  if (stuck.length === 0 && !hasMore) return null;
  const groups = groupByCause(stuck);
  const hidden = Math.max(0, groups.length - maxListed);
  return (
    <section className="notice asks stuck" aria-label="Waiting for an agent">
      {stuck.length > 0 && <strong>Waiting for an agent</strong>}
      <ul>
        {groups.slice(0, maxListed).map((group) => {
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
          {hasMore && `Only ${value.length} open questions were checked. `}
          <Link href="/inbox">Open inbox</Link>
        </p>
      )}
    </section>
  );
}

function asSentence(text: string): string {
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
