import { describeEdge } from "@baton/kernel/deciding";
import { Code } from "../../../design/code.tsx";
import { Sign } from "../../../design/signs.tsx";
import { Link } from "../../../router/link.tsx";
import { packAddress } from "../../../router/routes.ts";
import { NotYet, type TabProps, Texts } from "./tab.tsx";

/** Every candidate with the reason why it was selected or not (DIS-09). */
export function WhyTab(props: TabProps) {
  const edges = props.stage.edges.map(describeEdge);
  return (
    <div className="stack">
      <Texts title="Edges" texts={edges} />
      <Choice {...props} />
    </div>
  );
}

function Choice({ stage, summary, attempt }: TabProps) {
  if (!summary) return <NotYet stage={stage} what="No agent selected yet." />;
  if (!attempt) return <div aria-busy="true" />;
  const { dispatch, explanation } = attempt;
  if (!dispatch) return <Code>{explanation}</Code>;
  return (
    <div className="stack">
      <p>
        <strong>{stage.taskType}</strong> was dispatched to pack{" "}
        <strong>
          <Link href={packAddress(summary.packId)}>{summary.packId}</Link>
        </strong>
        {dispatch.usedFallback && ", the fallback of the route"}, instance{" "}
        <span className="mono wrap">{summary.instanceId}</span>, by routing policy{" "}
        <code>{dispatch.routingPolicyVersion}</code>.
      </p>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Rank</th>
            <th scope="col">Candidate</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {dispatch.candidates.map(({ packId, instanceId, eligible, rank, reason }) => (
            <tr key={`${packId} ${instanceId} ${reason}`} className={rank === 1 ? "chosen" : undefined}>
              <td>
                {eligible ? rank : <Sign name="failed" />}
                {!eligible && <span className="sr">not eligible</span>}
              </td>
              <td>
                <Link href={packAddress(packId)}>{packId}</Link>{" "}
                <span className="quiet mono">{instanceId}</span>
              </td>
              <td className="wrap">{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {dispatch.refFreshness.length > 0 && (
        <p className="quiet">
          References: {dispatch.refFreshness.filter((ref) => ref.wasStale).length} of{" "}
          {dispatch.refFreshness.length} were stale and refreshed.
        </p>
      )}
    </div>
  );
}
