import "./result.css";
import { type Pipeline, PipelineStatus, type PipelineSummary } from "@baton/contract/messages";
import { finalAnswers, keptWork } from "@baton/kernel/deciding";
import { Command } from "../../../design/code.tsx";
import { endOf } from "../../../design/ends.ts";
import { costText, grouped, modelText } from "../../../design/spent.ts";
import { Span } from "../../../design/time.tsx";
import { Decisions } from "../tabs/decisions-tab.tsx";
import { Part, Texts } from "../tabs/tab.tsx";
import { hasData, ResultData } from "./result-data.tsx";
import { ResultFileList } from "./result-files.tsx";
import type { ResultFiles } from "./use-files.ts";

/** The stages list further decisions and risks. */
const maxListed = 10;

interface RunResultProps {
  readonly pipeline: Pipeline;
  /** Undefined while they are read. */
  readonly files: ResultFiles | undefined;
}

/** The result of an ended run, whether it completed, failed or was aborted. */
export function RunResult({ pipeline, files }: RunResultProps) {
  const { summary, stages } = pipeline;
  const hasAnswers = stages.some(({ result }) => result !== undefined);
  return (
    <section className="card run-result" aria-labelledby="run-result" tabIndex={-1}>
      <header>
        <h2 id="run-result">Result</h2>
      </header>
      <div className="card-body">
        <WhyEnded pipeline={pipeline} />
        <div className="result-columns">
          <div className="stack">
            {hasAnswers ? <Answers pipeline={pipeline} /> : <p className="quiet">No results.</p>}
            <ResultData pipeline={pipeline} />
            {hasAnswers && !stages.some(hasData) && <p className="quiet">No structured data.</p>}
            {summary && summary.decisions.length > 0 && (
              <Part title="Decisions">
                <Decisions decisions={summary.decisions.slice(0, maxListed)} />
                <More count={summary.decisions.length - maxListed} />
              </Part>
            )}
            <Texts title="Risks" texts={summary?.risks.slice(0, maxListed)} />
            <More count={(summary?.risks.length ?? 0) - maxListed} />
          </div>
          <div className="stack">
            <Facts pipeline={pipeline} summary={summary} />
            <MergeCommands pipeline={pipeline} />
            <ResultFileList pipeline={pipeline} read={files} />
            {summary !== undefined && summary.leftOut > 0 && (
              <p className="quiet">The stages list {summary.leftOut} more artifacts, decisions and risks.</p>
            )}
          </div>
        </div>
      </div>
    </section>
  );
}

function More({ count }: { readonly count: number }) {
  return count > 0 ? <p className="quiet">and {count} more in the stages below</p> : null;
}

/** Commands that merge the accepted work. */
function MergeCommands({ pipeline }: { readonly pipeline: Pipeline }) {
  const work = keptWork(pipeline);
  if (work.length === 0) return null;
  return (
    <Part title={pipeline.status === PipelineStatus.COMPLETED ? "Merge" : "Merge the accepted work"}>
      {work.map(({ mergeCommand }) => (
        <Command key={mergeCommand} text={mergeCommand} />
      ))}
    </Part>
  );
}

function WhyEnded({ pipeline: { status, statusReason } }: { readonly pipeline: Pipeline }) {
  if (status === PipelineStatus.COMPLETED) return null;
  const isAborted = status === PipelineStatus.ABORTED;
  return (
    <p className={isAborted ? "notice" : "notice bad"}>
      <span>
        <strong>{isAborted ? "Aborted" : "Failed"}</strong>: {statusReason || "no reason given"}
      </span>
    </p>
  );
}

function Answers({ pipeline }: { readonly pipeline: Pipeline }) {
  return (
    <dl className="facts">
      {finalAnswers(pipeline).map(({ stageId, stageName, result }) => {
        const summary = result?.status?.summary || result?.status?.failureReason || "";
        const message = result?.response?.message ?? "";
        return (
          <div key={stageId} className="fact">
            <dt>{stageName || stageId}</dt>
            <dd>
              {summary}
              {message !== "" && message !== summary && <p className="wrap">{message}</p>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface FactsProps {
  readonly pipeline: Pipeline;
  readonly summary: PipelineSummary | undefined;
}

function Facts({ pipeline, summary }: FactsProps) {
  const usage = summary?.usage;
  const tokens = usage ? usage.inputTokens + usage.outputTokens : 0n;
  const { length } = pipeline.stages;
  const attempts = pipeline.stages.reduce((sum, { attemptNumber }) => sum + attemptNumber, 0);
  const rows: readonly (readonly [string, string])[] = [
    ["Stages", `${summary?.stagesCompleted ?? 0} of ${length} completed`],
    ["Attempts", `${attempts}${summary?.totalRejections ? `, ${summary.totalRejections} sent back` : ""}`],
    [
      "Tokens",
      usage && tokens > 0n
        ? `${grouped(tokens)} (${grouped(usage.inputTokens)} read, ${grouped(usage.outputTokens)} written)`
        : "none reported",
    ],
    ["Cost", (usage && costText(usage)) || "none reported"],
    ...(usage?.models ?? []).map((spent) => ["Model", modelText(spent)] as const),
  ];
  return (
    <dl className="facts">
      <dt>Duration</dt>
      <dd>
        <Span from={pipeline.createdAt} to={endOf(pipeline)} />
      </dd>
      {rows.map(([name, text]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
