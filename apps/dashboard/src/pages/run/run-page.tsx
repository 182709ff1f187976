import "./run.css";
import { type Pipeline, PipelineStatus } from "@baton/contract/messages";
import { useRef, useState } from "react";
import { Empty } from "../../design/empty.tsx";
import { hasEnded } from "../../design/ends.ts";
import { Trouble } from "../../design/trouble.tsx";
import { orchestrator } from "../../hub/client.ts";
import { concernsRun, fallbackMs, useLive } from "../../hub/use-live.ts";
import { Link } from "../../router/link.tsx";
import { useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { chooseStage } from "./choose-stage.ts";
import { Feed } from "./feed/feed.tsx";
import { RunGraph } from "./graph/run-graph.tsx";
import { Happened } from "./happened/happened.tsx";
import { useHappened } from "./happened/use-happened.ts";
import { History } from "./history/history.tsx";
import { RunResult } from "./result/run-result.tsx";
import { useFiles } from "./result/use-files.ts";
import { RunHead } from "./run-head.tsx";
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
      <Empty title={`There is no run ${pipelineId}`} isPage>
        <Link href="/runs">Go to all runs</Link>
      </Empty>
    );
  return (
    <div className="stack">
      {problem && <Trouble problem={problem} />}
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
  const { value: told } = attempts;
  const happened = useHappened(pipeline, attempts);
  // Who watches a run to its end asks for the result: nothing on the page moves by itself.
  const [wantsResult, wantResult] = useState(hasEnded(pipeline));
  if (wantsResult && !hasEnded(pipeline)) wantResult(false); // A rewind lets it go on.
  const isResultShown = hasEnded(pipeline) && wantsResult;
  const files = useFiles(pipeline, !isResultShown);
  // How long the result is has to be known before anything stands below it. What was shown once stays.
  const hasRoom = useRef(false);
  hasRoom.current ||= files !== undefined;
  const stageId = stage?.stageId ?? "";
  const chosen = told?.attempts.find(
    (one) => one.stageId === stageId && String(one.attemptNumber) === query.get("attempt"),
  );
  return (
    <>
      <RunHead pipeline={pipeline} onChanged={onChanged} isResultShown={isResultShown}>
        {hasEnded(pipeline) && !wantsResult && (
          <button type="button" className="button primary" onClick={() => wantResult(true)}>
            See the result
          </button>
        )}
      </RunHead>
      {isResultShown && <RunResult pipeline={pipeline} files={files} />}
      {hasRoom.current && (
        <RunGraph
          pipeline={pipeline}
          told={told}
          selected={stageId}
          isSought={query.has("stage") || pipeline.status !== PipelineStatus.COMPLETED}
        />
      )}
      {hasRoom.current && happened.hasRoom ? (
        <>
          <Happened pipeline={pipeline} happened={happened} />
          <Timeline pipeline={pipeline} told={told} selected={stageId} />
          <History pipeline={pipeline} told={told} onChanged={onChanged} />
          <div className="run-columns">
            {stage && (
              <StagePanel key={stageId} pipeline={pipeline} stage={stage} told={told} onChanged={onChanged} />
            )}
            <Feed
              pipelineId={pipeline.pipelineId}
              stageId={stageId}
              dispatchId={chosen?.dispatchId ?? ""}
              told={told}
            />
          </div>
        </>
      ) : (
        <div className="run-loading" aria-busy="true" />
      )}
    </>
  );
}
