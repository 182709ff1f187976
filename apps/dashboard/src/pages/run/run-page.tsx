import "./run.css";
import type { Pipeline } from "@baton/contract/messages";
import { Empty } from "../../design/empty.tsx";
import { Trouble } from "../../design/trouble.tsx";
import { orchestrator } from "../../hub/client.ts";
import { useLive } from "../../hub/use-live.ts";
import { Link } from "../../router/link.tsx";
import { useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { chooseStage } from "./choose-stage.ts";
import { RunGraph } from "./graph/run-graph.tsx";
import { RunHead } from "./run-head.tsx";
import { StagePanel } from "./stage-panel.tsx";

export function RunPage({ pipelineId }: { readonly pipelineId: string }) {
  const run = useLive(
    `run ${pipelineId}`,
    async (signal): Promise<Pipeline | undefined> => {
      return (await orchestrator.getPipeline({ pipelineId }, { signal })).pipeline;
    },
    { touches: (record) => record.pipelineId === pipelineId, everyMs: 5_000 },
  );
  const { value: pipeline, problem, refresh } = run;
  useTitle(pipeline?.pipelineName ?? pipelineId);
  const stage = chooseStage(pipeline, useQuery().get("stage") ?? "");
  if (problem?.kind === "missing" && pipeline === undefined)
    return (
      <Empty title={`There is no run ${pipelineId}`}>
        <Link href="/runs">See the runs that there are</Link>
      </Empty>
    );
  return (
    <div className="stack">
      {problem && <Trouble problem={problem} />}
      {pipeline === undefined ? (
        <div className="run-loading" aria-busy="true" />
      ) : (
        <>
          <RunHead pipeline={pipeline} onChanged={refresh} />
          <RunGraph pipeline={pipeline} selected={stage?.stageId ?? ""} />
          {stage && <StagePanel pipeline={pipeline} stage={stage} />}
        </>
      )}
    </div>
  );
}
