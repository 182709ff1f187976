import type { AttemptSummary, GetAttemptsResponse, Pipeline, Stage } from "@baton/contract/messages";
import { Badge, stageLook } from "../../design/status.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { Trouble } from "../../design/trouble.tsx";
import { useWaitingIn } from "../../hub/waiting.tsx";
import { setQuery, useQuery } from "../../router/location.ts";
import { AttemptPicker } from "./attempt-picker.tsx";
import { RerunButton } from "./rerun/rerun-button.tsx";
import { ArtifactsTab } from "./tabs/artifacts-tab.tsx";
import { CompareTab } from "./tabs/compare-tab.tsx";
import { ContextTab } from "./tabs/context-tab.tsx";
import { ContractTab } from "./tabs/contract-tab.tsx";
import { DecisionsTab } from "./tabs/decisions-tab.tsx";
import { EvidenceTab } from "./tabs/evidence-tab.tsx";
import { OverviewTab } from "./tabs/overview-tab.tsx";
import { RawTab } from "./tabs/raw-tab.tsx";
import { WhyTab } from "./tabs/why-tab.tsx";
import { useAttempt } from "./use-attempts.ts";

interface StagePanelProps {
  readonly pipeline: Pipeline;
  readonly stage: Stage;
  readonly told: GetAttemptsResponse | undefined;
}

/** Everything about one stage, an attempt at a time. */
export function StagePanel({ pipeline, stage, told }: StagePanelProps) {
  const { pipelineId } = pipeline;
  const query = useQuery();
  const attempts = told?.attempts.filter(({ stageId }) => stageId === stage.stageId) ?? [];
  const summary = choose(attempts, query.get("attempt") ?? "");
  const { value: attempt, problem } = useAttempt(summary, pipelineId);
  const waiting = useWaitingIn(pipelineId).some(({ stageId }) => stageId === stage.stageId);
  const whole = attempt?.summary?.dispatchId === summary?.dispatchId ? attempt : undefined;
  const view = { pipeline, stage, summary, attempt: whole };
  return (
    <section className="card stage-panel" aria-labelledby="stage-name">
      <header>
        <h2 id="stage-name" className="clip">
          {stage.stageName || stage.stageId}
        </h2>
        <Badge {...stageLook(stage.status, waiting)} />
        <AttemptPicker attempts={attempts} selected={summary?.attemptNumber ?? 0} />
        <RerunButton pipeline={pipeline} stage={stage} attempt={whole} />
      </header>
      {problem && problem.kind !== "away" && <Trouble problem={problem} />}
      <Tabs
        label="About this stage"
        selected={query.get("tab") ?? "overview"}
        onSelect={(tab) => setQuery({ tab: tab === "overview" ? "" : tab })}
        tabs={[
          { id: "overview", name: "Overview", render: () => <OverviewTab {...view} /> },
          { id: "contract", name: "Contract", render: () => <ContractTab {...view} /> },
          { id: "evidence", name: "Evidence", render: () => <EvidenceTab {...view} /> },
          { id: "artifacts", name: "Artifacts", render: () => <ArtifactsTab {...view} /> },
          { id: "decisions", name: "Decisions", render: () => <DecisionsTab {...view} /> },
          { id: "context", name: "Context", render: () => <ContextTab {...view} /> },
          ...(attempts.length > 1
            ? [{ id: "compare", name: "Compare", render: () => <CompareTab {...view} attempts={attempts} /> }]
            : []),
          { id: "why", name: "Why this agent", render: () => <WhyTab {...view} /> },
          { id: "raw", name: "Raw", render: () => <RawTab {...view} /> },
        ]}
      />
    </section>
  );
}

function choose(attempts: readonly AttemptSummary[], asked: string): AttemptSummary | undefined {
  return attempts.find(({ attemptNumber }) => String(attemptNumber) === asked) ?? attempts.at(-1);
}
