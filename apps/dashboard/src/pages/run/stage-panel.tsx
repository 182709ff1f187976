import type { AttemptSummary, GetAttemptsResponse, Pipeline, Stage } from "@baton/contract/messages";
import type { ReactNode } from "react";
import { takenFrom } from "../../design/ends.ts";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { Badge, stageLook } from "../../design/status.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { useWaitingIn } from "../../hub/waiting.tsx";
import { setQuery, useQuery } from "../../router/location.ts";
import { AttemptPicker } from "./attempt-picker.tsx";
import { isUnchecked } from "./ending.ts";
import { LeftOut } from "./left-out.tsx";
import { RerunButton } from "./rerun/rerun-sheet.tsx";
import { StageActions } from "./steer/stage-actions.tsx";
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
  readonly activity: GetAttemptsResponse | undefined;
  readonly onChanged: () => void;
}

/** The details of one stage, by attempt. */
export function StagePanel({ pipeline, stage, activity, onChanged }: StagePanelProps) {
  const { pipelineId } = pipeline;
  const query = useQuery();
  const attempts = activity?.attempts.filter(({ stageId }) => stageId === stage.stageId) ?? [];
  const summary = choose(attempts, query.get("attempt") ?? "");
  // A result from another run is read from that run.
  const dispatchId = summary?.dispatchId ?? (takenFrom(stage, pipeline) === "" ? "" : stage.dispatchId);
  const { value: attempt, problem } = useAttempt(pipelineId, summary, dispatchId);
  const waitsForPerson = useWaitingIn(pipelineId).some(({ stageId }) => stageId === stage.stageId);
  const whole = attempt?.summary?.dispatchId === dispatchId ? attempt : undefined;
  const view = { pipeline, stage, summary: summary ?? whole?.summary, attempt: whole };
  // While reading, "nothing yet" would be wrong.
  const isReading = dispatchId !== "" && whole === undefined && problem === undefined;
  const show = (tab: ReactNode) => (isReading ? <div aria-busy="true" /> : tab);
  return (
    <section className="card stage-panel" aria-labelledby="stage-name">
      <header>
        <h2 id="stage-name" className="clip">
          {stage.stageName || stage.stageId}
        </h2>
        <Badge
          {...stageLook(stage, pipeline, { waitsForPerson, isUnchecked: isUnchecked(stage, attempts) })}
        />
        <StageActions pipeline={pipeline} stage={stage} onChanged={onChanged} />
        <RerunButton pipeline={pipeline} stage={stage} attempt={whole} />
        <AttemptPicker attempts={attempts} selected={summary?.attemptNumber ?? 0} />
      </header>
      {problem && problem.kind !== "away" && <ProblemNotice problem={problem} />}
      {whole && <LeftOut attempt={whole} />}
      <Tabs
        label="Stage details"
        selected={query.get("tab") ?? "overview"}
        onSelect={(tab) => setQuery({ tab: tab === "overview" ? "" : tab })}
        tabs={[
          { id: "overview", name: "Overview", render: () => <OverviewTab {...view} /> },
          { id: "contract", name: "Contract", render: () => show(<ContractTab {...view} />) },
          { id: "evidence", name: "Evidence", render: () => show(<EvidenceTab {...view} />) },
          { id: "artifacts", name: "Artifacts", render: () => show(<ArtifactsTab {...view} />) },
          { id: "decisions", name: "Decisions", render: () => show(<DecisionsTab {...view} />) },
          { id: "context", name: "Context", render: () => show(<ContextTab {...view} />) },
          {
            id: "compare",
            name: "Compare",
            render: () => show(<CompareTab {...view} attempts={attempts} />),
          },
          { id: "why", name: "Routing", render: () => show(<WhyTab {...view} />) },
          { id: "raw", name: "Raw", render: () => show(<RawTab {...view} />) },
        ]}
      />
    </section>
  );
}

function choose(attempts: readonly AttemptSummary[], asked: string): AttemptSummary | undefined {
  return attempts.find(({ attemptNumber }) => String(attemptNumber) === asked) ?? attempts.at(-1);
}
