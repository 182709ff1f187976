import "./policies.css";
import type {
  GetConstitutionResponse,
  GetRoutingPolicyResponse,
  RouteView,
  Template,
} from "@baton/contract/messages";
import { Empty } from "../../design/empty.tsx";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { inspection } from "../../hub/client.ts";
import { useLive } from "../../hub/use-live.ts";
import { setQuery, useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { Admission } from "./admission.tsx";
import { ConstitutionCard } from "./constitution.tsx";
import { RouteTable } from "./route-table.tsx";
import { Templates } from "./templates.tsx";
import { WhatIf } from "./what-if.tsx";

interface InForce {
  readonly routing: GetRoutingPolicyResponse;
  readonly templates: readonly Template[];
  /** Absent where the hub is older. */
  readonly constitution: GetConstitutionResponse | undefined;
}

/** The routing policy and the templates in force. */
export function PoliciesPage() {
  useTitle("Policies");
  const { value, problem } = useLive(
    "policies",
    async (signal): Promise<InForce> => {
      const [routing, { templates }, constitution] = await Promise.all([
        inspection.getRoutingPolicy({}, { signal }),
        inspection.getTemplates({}, { signal }),
        inspection.getConstitution({}, { signal }).catch(() => undefined),
      ]);
      return { routing, templates, constitution };
    },
    { everyMs: 5_000 },
  );
  const policy = value?.routing.policy;
  const asked = useQuery().get("route") ?? "";
  const tried = policy?.routes.find(({ taskType }) => taskType === asked);
  const setTried = (route?: RouteView) => setQuery({ route: route?.taskType ?? "" });
  const close = () => {
    document.querySelector<HTMLElement>(".routes [aria-pressed=true]")?.focus();
    setTried();
  };
  return (
    <div className="stack">
      <div className="page-head">
        <h1>Policies</h1>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {!value && !problem && <div className="card runs-loading" aria-busy="true" />}
      {policy && (
        <section className="card" aria-labelledby="routing">
          <header>
            <h2 id="routing">Routing</h2>
            <span className="quiet">
              {value?.routing.open
                ? "no policy file: every pack accepts the task types that it declares"
                : `version ${policy.version}`}
            </span>
          </header>
          {policy.routes.length === 0 ? (
            <Empty title="No routes yet">
              <p>Start an agent, or write a routing policy: docs/how-to/write-a-routing-policy.md.</p>
            </Empty>
          ) : (
            <RouteTable routes={policy.routes} tried={tried} onTry={setTried} />
          )}
          <Admission policy={policy} />
        </section>
      )}
      {policy && tried && <WhatIf key={tried.taskType} route={tried} policy={policy} onClose={close} />}
      {value?.constitution && <ConstitutionCard constitution={value.constitution} />}
      {value && <Templates templates={value.templates} />}
    </div>
  );
}
