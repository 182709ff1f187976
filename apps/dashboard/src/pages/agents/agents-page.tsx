import "./agents.css";
import { Empty } from "../../design/empty.tsx";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { PackCard } from "./pack-card.tsx";
import { Stuck } from "./stuck.tsx";
import { type Fleet, maxInstances, useAgents } from "./use-agents.ts";

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
      {problem && <ProblemNotice problem={problem} />}
      <Stuck />
      {packs === undefined && !problem && <div className="card runs-loading" aria-busy="true" />}
      {packs?.length === 0 && (
        <div className="card">
          <Empty title="No agents yet">
            <p>Start an agent. It connects to the hub and appears here.</p>
            <pre>
              <code>npx node examples/implement-and-review/developer.ts</code>
            </pre>
            <p className="quiet">To write your own, follow docs/tutorial/first-agent.md.</p>
          </Empty>
        </div>
      )}
      {packs && asked !== "" && !packs.some(({ packId }) => packId === asked) && (
        <p className="notice asks" role="status">
          No agent of pack {asked} is connected.
        </p>
      )}
      {packs?.map((pack) => (
        <PackCard key={pack.packId} pack={pack} isAsked={pack.packId === asked} onChanged={refresh} />
      ))}
    </div>
  );
}

/** Instances that are gone stay listed for a while and are counted separately. */
function FleetCount({ fleet: { packs, hasMore } }: { readonly fleet: Fleet }) {
  const all = packs.flatMap(({ instances }) => instances);
  const connected = all.filter(({ goneSince }) => goneSince === undefined);
  const connectedPacks = new Set(connected.map(({ heartbeat }) => heartbeat?.packId)).size;
  const gone = all.length - connected.length;
  return (
    <span className="quiet">
      {count(connected.length, "instance")} of {count(connectedPacks, "pack")}
      {gone > 0 && `, ${gone.toLocaleString("en")} gone`}
      {hasMore && `. Only the first ${maxInstances.toLocaleString("en")} are listed`}
    </span>
  );
}

function count(number: number, word: string): string {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}
