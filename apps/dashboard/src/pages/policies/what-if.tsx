import {
  type CompareRoutingResponse,
  RiskTier,
  type RouteView,
  type RoutingPolicyView,
} from "@baton/contract/messages";
import { useEffect, useState } from "react";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { inspection } from "../../hub/client.ts";
import { type Problem, problemOf } from "../../hub/problem.ts";
import { useAgents } from "../agents/use-agents.ts";
import { Differences } from "./differences.tsx";
import { tierWord } from "./route-table.tsx";

interface WhatIfProps {
  readonly route: RouteView;
  readonly policy: RoutingPolicyView;
  readonly onClose: () => void;
}

/** Tries out a change of a route and lists the past dispatches that it would have changed. */
export function WhatIf({ route, policy, onClose }: WhatIfProps) {
  const [allowed, setAllowed] = useState<readonly string[]>(route.allowedPackIds);
  const [preferred, setPreferred] = useState(route.preferredPackId);
  const [fallback, setFallback] = useState(route.fallbackPackId);
  const [tier, setTier] = useState(route.minRiskTier);
  const { value: fleet } = useAgents();
  const known = new Set([
    ...policy.routes.flatMap(({ allowedPackIds }) => allowedPackIds),
    ...(fleet?.packs ?? []).map(({ packId }) => packId),
  ]);
  const { found, problem } = useCompared({
    taskType: route.taskType,
    allowedPackIds: [...allowed],
    preferredPackId: preferred,
    fallbackPackId: fallback,
    minRiskTier: tier,
  });
  const toggle = (pack: string) =>
    setAllowed(allowed.includes(pack) ? allowed.filter((one) => one !== pack) : [...allowed, pack]);
  return (
    <section className="card what-if" aria-labelledby="what-if">
      <header>
        <h2 id="what-if">
          Preview routing of <code>{route.taskType}</code>
        </h2>
        <span className="spring" />
        <button type="button" className="button small" onClick={onClose}>
          Close
        </button>
      </header>
      <div className="card-body stack">
        <fieldset className="chips packs">
          <legend>Allowed packs</legend>
          {[...known].toSorted().map((pack) => (
            <label key={pack} className="badge">
              <input type="checkbox" checked={allowed.includes(pack)} onChange={() => toggle(pack)} />
              {pack}
            </label>
          ))}
        </fieldset>
        <div className="row what-if-more">
          <PackChoice
            title="Preferred"
            value={preferred}
            packs={allowed}
            none="none"
            onChange={setPreferred}
          />
          <PackChoice
            title="Fallback"
            value={fallback}
            packs={[...known]}
            none="ask a person"
            onChange={setFallback}
          />
          <label className="field">
            <span>Minimum risk</span>
            <select className="input" value={tier} onChange={(event) => setTier(Number(event.target.value))}>
              {[RiskTier.UNSPECIFIED, RiskTier.LOW, RiskTier.NORMAL, RiskTier.CRITICAL].map((one) => (
                <option key={one} value={one}>
                  {tierWord(one)}
                </option>
              ))}
            </select>
          </label>
        </div>
        {problem && <ProblemNotice problem={problem} />}
        {found && <Differences found={found} />}
        <p className="quiet">This is a preview. To change a route, edit the routing policy of the hub.</p>
      </div>
    </section>
  );
}

interface PackChoiceProps {
  readonly title: string;
  readonly value: string;
  readonly packs: readonly string[];
  readonly none: string;
  readonly onChange: (pack: string) => void;
}

function PackChoice({ title, value, packs, none, onChange }: PackChoiceProps) {
  return (
    <label className="field">
      <span>{title}</span>
      <select className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{none}</option>
        {packs.map((pack) => (
          <option key={pack}>{pack}</option>
        ))}
      </select>
    </label>
  );
}

type Route = Pick<
  RouteView,
  "taskType" | "allowedPackIds" | "preferredPackId" | "fallbackPackId" | "minRiskTier"
>;

function useCompared(route: Route): {
  found: CompareRoutingResponse | undefined;
  problem: Problem | undefined;
} {
  const [found, setFound] = useState<CompareRoutingResponse>();
  const [problem, setProblem] = useState<Problem>();
  const key = JSON.stringify(route);
  useEffect(() => {
    const ending = new AbortController();
    inspection.compareRouting({ route: JSON.parse(key) }, { signal: ending.signal }).then(
      (answer) => {
        setFound(answer);
        setProblem(undefined);
      },
      (error) => ending.signal.aborted || setProblem(problemOf(error)),
    );
    return () => ending.abort();
  }, [key]);
  return { found, problem };
}
