import type { Escalation } from "@baton/contract/messages";
import { Link } from "../../router/link.tsx";
import { runAddress } from "../../router/routes.ts";

/** The first question of each run. */
export function runsOf(group: readonly Escalation[]): readonly Escalation[] {
  return [...new Map(group.toReversed().map((one) => [one.pipelineId, one])).values()].toReversed();
}

/** What one answer covers. Several stages of a run can have the same cause. */
export function countOf(group: readonly Escalation[]): string {
  const { length: runs } = runsOf(group);
  return runs > 1 ? `${runs} runs` : `${group.length} stages`;
}

export function SameCause({ group }: { readonly group: readonly Escalation[] }) {
  const namesStages = runsOf(group).length < group.length;
  return (
    <details className="same-cause">
      <summary>{countOf(group)} with the same cause</summary>
      <ul aria-label="Runs with the same cause">
        {group.map(({ escalationId, pipelineId, pipelineName, stageId }) => (
          <li key={escalationId} className="wrap">
            <Link href={runAddress(pipelineId, stageId)}>
              {pipelineName || pipelineId}
              {namesStages && `, ${stageId}`}
            </Link>{" "}
            <code className="quiet">{pipelineId}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
