import "./agents.css";
import { Empty } from "../../design/empty.tsx";
import { Trouble } from "../../design/trouble.tsx";
import { useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { FleetCount } from "./fleet-count.tsx";
import { PackCard } from "./pack-card.tsx";
import { Stuck } from "./stuck.tsx";
import { useAgents } from "./use-agents.ts";

/** The fleet, by pack. */
export function AgentsPage() {
  useTitle("Agents");
  const { value: fleet, problem, refresh } = useAgents();
  const packs = fleet?.packs;
  const asked = useQuery().get("pack") ?? "";
  return (
    <div className="stack">
      <div className="page-head">
        <h1>Agents</h1>
        {fleet && fleet.packs.length > 0 && <FleetCount fleet={fleet} />}
      </div>
      {problem && <Trouble problem={problem} />}
      <Stuck />
      {packs === undefined && !problem && <div className="card runs-loading" aria-busy="true" />}
      {packs?.length === 0 && (
        <div className="card">
          <Empty title="No agent is here yet">
            <p>Start one; it attaches by itself and appears here.</p>
            <pre>
              <code>npx node examples/implement-and-review/developer.ts</code>
            </pre>
            <p className="quiet">docs/tutorial/first-agent.md shows how to write your own in five minutes.</p>
          </Empty>
        </div>
      )}
      {packs && asked !== "" && !packs.some(({ packId }) => packId === asked) && (
        <p className="notice asks" role="status">
          No agent of the pack {asked} is here now.
        </p>
      )}
      {packs?.map((pack) => (
        <PackCard key={pack.packId} pack={pack} isAsked={pack.packId === asked} onChanged={refresh} />
      ))}
    </div>
  );
}
