import "./setbacks.css";
import type { AttemptSummary, Pipeline } from "@baton/contract/messages";
import { type MouseEvent, useEffect, useRef } from "react";
import { hasEnded } from "../../../design/ends.ts";
import { Sign } from "../../../design/signs.tsx";
import { Link } from "../../../router/link.tsx";
import { useQuery } from "../../../router/location.ts";
import { attemptAddress } from "../../../router/routes.ts";
import { disproofOf, type Setback, wordsOf } from "./setbacks.ts";
import type { Gates, Setbacks } from "./use-setbacks.ts";

interface SetbackListProps {
  readonly pipeline: Pipeline;
  readonly setbacks: Setbacks;
}

/**
 * Disproved claims, rejections, failures and questions of a run. For an active run the height is reserved, so that
 * new entries do not move the page.
 */
export function SetbackList({ pipeline, setbacks }: SetbackListProps) {
  const { wasActive, count, latest, gates } = setbacks;
  const list = useRef<HTMLOListElement>(null);
  // Keeps the last entry visible.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new entry makes the list longer.
  useEffect(() => {
    if (wasActive) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [wasActive, latest.length]);
  if (!wasActive && latest.length === 0) return null;
  return (
    <section
      className={wasActive ? "card setbacks reserved" : "card setbacks"}
      aria-labelledby="what-happened"
    >
      <h2 id="what-happened">What happened</h2>
      {count === 0 ? (
        <p className="quiet">No setbacks{hasEnded(pipeline) ? "." : " so far."}</p>
      ) : (
        <ol ref={list} aria-busy={count === undefined}>
          {count !== undefined && count > latest.length && (
            <li className="quiet">{count - latest.length} earlier ones are in the history.</li>
          )}
          {latest.map((setback) => (
            <Row
              key={setback.attempt.dispatchId}
              pipelineId={pipeline.pipelineId}
              setback={setback}
              gates={gates}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

interface RowProps {
  readonly pipelineId: string;
  readonly setback: Setback;
  readonly gates: Gates;
}

function Row({ pipelineId, setback, gates }: RowProps) {
  const { attempt, kind, work } = setback;
  const { did, why } = wordsOf(setback);
  const isAsked = kind === "asked";
  return (
    <li>
      <span className={isAsked ? "asks" : "bad"}>
        <Sign name={isAsked ? "done" : kind === "claim" || kind === "failed" ? "failed" : "back"} />
      </span>
      <span className="wrap">
        <AttemptLink pipelineId={pipelineId} attempt={attempt} />
        {": "}
        {kind === "claim" ? (
          claimText(gates, attempt, did + why)
        ) : (
          <>
            {did}
            {work && (
              <>
                {" of "}
                <AttemptLink pipelineId={pipelineId} attempt={work} />
              </>
            )}
            {why}
          </>
        )}
        {attempt.setAside && <span className="quiet"> (superseded by a rewind)</span>}
      </span>
    </li>
  );
}

/** The claim beside the result of the check; a fallback when the gate cannot be read. */
function claimText({ read, isReading }: Gates, { dispatchId }: AttemptSummary, fallback: string): string {
  if (isReading && !read.has(dispatchId)) return "";
  return disproofOf(read.get(dispatchId)) || fallback;
}

interface AttemptLinkProps {
  readonly pipelineId: string;
  readonly attempt: AttemptSummary;
}

function AttemptLink({ pipelineId, attempt }: AttemptLinkProps) {
  const { stageId, attemptNumber } = attempt;
  const query = useQuery();
  const isCurrent = query.get("stage") === stageId && query.get("attempt") === String(attemptNumber);
  const tab = attempt.receivedAt ? "evidence" : "overview";
  const history = query.get("history") === "open" ? "&history=open" : "";
  return (
    <Link
      href={attemptAddress(pipelineId, attempt, tab) + history}
      aria-current={isCurrent || undefined}
      onClick={scrollToStage}
    >
      {stageId}, attempt {attemptNumber}
    </Link>
  );
}

/** The stage panel is further down the page. */
function scrollToStage({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): void {
  if (metaKey || ctrlKey || shiftKey || altKey) return;
  requestAnimationFrame(() => document.querySelector(".stage-panel")?.scrollIntoView({ block: "nearest" }));
}
