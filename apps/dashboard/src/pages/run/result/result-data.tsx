import type { Pipeline, Stage } from "@baton/contract/messages";
import { Fragment } from "react";
import { Code } from "../../../design/code.tsx";
import { Link } from "../../../router/link.tsx";
import { runAddress } from "../../../router/routes.ts";
import { Part } from "../tabs/tab.tsx";

/** More would make the page slow. The stage has all of it. */
const maxLength = 20_000;

const maxStages = 3;

/** The structured data of the stages, the last stages first. */
export function ResultData({ pipeline }: { readonly pipeline: Pipeline }) {
  const all = pipeline.stages.filter(hasData).toReversed();
  const stages = all.slice(0, maxStages);
  const others = all.slice(maxStages);
  const large = pipeline.stages.filter(({ resultLeftOutBytes }) => resultLeftOutBytes > 0);
  return (
    <>
      {stages.map((stage) => (
        <Part key={stage.stageId} title={`Data of ${stage.stageName || stage.stageId}`}>
          <Code>{textOf(stage).slice(0, maxLength)}</Code>
          {textOf(stage).length > maxLength && (
            <p className="quiet">
              Truncated.{" "}
              <Link href={`${runAddress(pipeline.pipelineId, stage.stageId)}&tab=raw`}>View all</Link>
            </p>
          )}
        </Part>
      ))}
      {others.length > 0 && (
        <p className="quiet">
          Data of other stages:{" "}
          {others.map(({ stageId, stageName }, place) => (
            <Fragment key={stageId}>
              {place > 0 && ", "}
              <Link href={`${runAddress(pipeline.pipelineId, stageId)}&tab=raw`}>{stageName || stageId}</Link>
            </Fragment>
          ))}
        </p>
      )}
      {large.map(({ stageId, resultLeftOutBytes }) => (
        <p key={stageId} className="quiet">
          The result of {stageId} is large ({(resultLeftOutBytes / 1024 / 1024).toFixed(1)} MiB).{" "}
          <Link href={runAddress(pipeline.pipelineId, stageId)}>View stage</Link>
        </p>
      ))}
    </>
  );
}

export function hasData({ result }: Stage): boolean {
  return Object.keys(result?.response?.data ?? {}).length > 0;
}

function textOf({ result }: Stage): string {
  return JSON.stringify(result?.response?.data, null, 2);
}
