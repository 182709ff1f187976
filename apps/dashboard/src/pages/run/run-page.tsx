import "./run.css";
import { type Pipeline, PipelineStatus, type Stage, StageStatus } from "@baton/contract/messages";
import { useRef, useState } from "react";
import { Empty } from "../../design/empty.tsx";
import { hasEnded } from "../../design/ends.ts";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { orchestrator } from "../../hub/client.ts";
import { concernsRun, fallbackMs, useLive } from "../../hub/use-live.ts";
import { Link } from "../../router/link.tsx";
import { useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { Feed } from "./feed/feed.tsx";
import { Negotiation } from "./graph/negotiation.tsx";
import { RunGraph } from "./graph/run-graph.tsx";
import { History } from "./history/history.tsx";
import { RunResult } from "./result/run-result.tsx";
import { useFiles } from "./result/use-files.ts";
import { RunHead } from "./run-head.tsx";
import { SetbackList } from "./setbacks/setback-list.tsx";
import { useSetbacks } from "./setbacks/use-setbacks.ts";
import { StagePanel } from "./stage-panel.tsx";
import { Timeline } from "./timeline/timeline.tsx";
import { useAttempts } from "./use-attempts.ts";

export function RunPage({ pipelineId }: { readonly pipelineId: string }) {
  const run = useLive(
    `run ${pipelineId}`,
    async (signal): Promise<Pipeline | undefined> => {
      return (await orchestrator.getPipeline({ pipelineId }, { signal })).pipeline;
    },
    {
      touches: (record) => record.pipelineId === pipelineId,
      changeHints: concernsRun(pipelineId),
      everyMs: fallbackMs,
    },
  );
  const { value: pipeline, problem, refresh } = run;
  const isMissing = problem?.kind === "missing" && pipeline === undefined;
  useTitle(isMissing ? "Not found" : (pipeline?.pipelineName ?? pipelineId));
  if (isMissing)
    return (
      <Empty title={`Run ${pipelineId} not found`} isPage>
        <Link href="/runs">View all runs</Link>
      </Empty>
    );
  return (
    <div className="stack">
      {problem && <ProblemNotice problem={problem} />}
      {pipeline === undefined ? (
        <div className="run-loading" aria-busy="true" />
      ) : (
        <RunBody key={pipeline.pipelineId} pipeline={pipeline} onChanged={refresh} />
      )}
    </div>
  );
}

function RunBody({ pipeline, onChanged }: { readonly pipeline: Pipeline; readonly onChanged: () => void }) {
  const query = useQuery();
  const stage = chooseStage(pipeline, query.get("stage") ?? "");
  const attempts = useAttempts(pipeline);
  const { value: activity } = attempts;
  const setbacks = useSetbacks(pipeline, attempts);
  // A run that ends while it is watched displays its result on request, so that the page does not move.
  const [wantsResult, wantResult] = useState(hasEnded(pipeline));
  if (wantsResult && !hasEnded(pipeline)) wantResult(false); // A rewind continues the run.
  const isResultVisible = hasEnded(pipeline) && wantsResult;
  const files = useFiles(pipeline, !isResultVisible);
  // What follows the result is rendered once its height is known, and then stays.
  const hasRoom = useRef(false);
  hasRoom.current ||= files !== undefined;
  const stageId = stage?.stageId ?? "";
  const chosen = activity?.attempts.find(
    (one) => one.stageId === stageId && String(one.attemptNumber) === query.get("attempt"),
  );
  return (
    <>
      <RunHead pipeline={pipeline} onChanged={onChanged} isResultVisible={isResultVisible}>
        {hasEnded(pipeline) && !wantsResult && (
          <button type="button" className="button primary" onClick={() => wantResult(true)}>
            View result
          </button>
        )}
      </RunHead>
      {isResultVisible && <RunResult pipeline={pipeline} files={files} />}
      {hasRoom.current && (
        <RunGraph
          pipeline={pipeline}
          activity={activity}
          selected={stageId}
          scrollsToSelected={query.has("stage") || pipeline.status !== PipelineStatus.COMPLETED}
        />
      )}
      {hasRoom.current && setbacks.hasRoom ? (
        <>
          <SetbackList pipeline={pipeline} setbacks={setbacks} />
          <Negotiation pipeline={pipeline} />
          <Timeline pipeline={pipeline} activity={activity} selected={stageId} />
          <History pipeline={pipeline} activity={activity} onChanged={onChanged} />
          <div className="run-columns">
            {stage && (
              <StagePanel
                key={stageId}
                pipeline={pipeline}
                stage={stage}
                activity={activity}
                onChanged={onChanged}
              />
            )}
            <Feed
              pipelineId={pipeline.pipelineId}
              stageId={stageId}
              dispatchId={chosen?.dispatchId ?? ""}
              activity={activity}
            />
          </div>
        </>
      ) : (
        <div className="run-loading" aria-busy="true" />
      )}
    </>
  );
}

/** The stage that the address names; by default a failed one, then an active one, then the last dispatched one. */
function chooseStage({ stages }: Pipeline, asked: string): Stage | undefined {
  return (
    stages.find(({ stageId }) => stageId === asked) ??
    stages.find(({ status }) => status === StageStatus.FAILED) ??
    stages.find(({ status }) => status === StageStatus.DISPATCHED) ??
    stages.findLast(({ dispatchId }) => dispatchId !== "") ??
    stages[0]
  );
}
