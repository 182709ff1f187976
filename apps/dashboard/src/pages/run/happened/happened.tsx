import "./happened.css";
import type { AttemptSummary, Pipeline } from "@baton/contract/messages";
import { type MouseEvent, useEffect, useRef } from "react";
import { hasEnded } from "../../../design/ends.ts";
import { Sign } from "../../../design/signs.tsx";
import { Link } from "../../../router/link.tsx";
import { useQuery } from "../../../router/location.ts";
import { attemptAddress } from "../../../router/routes.ts";
import { disproofOf, type Happening, wordsOf } from "./happened.ts";
import type { Gates, HappenedSoFar } from "./use-happened.ts";

interface HappenedProps {
  readonly pipeline: Pipeline;
  readonly happened: HappenedSoFar;
}

/**
 * What went other than straight on, in words: claims that did not hold, what was rejected and why, failures, questions.
 * Whoever sees a run go on sees nothing move when there is more to tell: the room for it is there before.
 */
export function Happened({ pipeline, happened }: HappenedProps) {
  const { wasUnderWay, count, shown, gates } = happened;
  const list = useRef<HTMLOListElement>(null);
  // What came last is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one more makes the list longer.
  useEffect(() => {
    if (wasUnderWay) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [wasUnderWay, shown.length]);
  if (!wasUnderWay && shown.length === 0) return null;
  return (
    <section
      className={wasUnderWay ? "card happened reserved" : "card happened"}
      aria-labelledby="what-happened"
    >
      <h2 id="what-happened">What happened</h2>
      {count === 0 ? (
        <p className="quiet">Nothing was sent back{hasEnded(pipeline) ? "." : " so far."}</p>
      ) : (
        <ol ref={list} aria-busy={count === undefined}>
          {count !== undefined && count > shown.length && (
            <li className="quiet">{count - shown.length} more before these are in the history.</li>
          )}
          {shown.map((happening) => (
            <Row
              key={happening.attempt.dispatchId}
              pipelineId={pipeline.pipelineId}
              happening={happening}
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
  readonly happening: Happening;
  readonly gates: Gates;
}

function Row({ pipelineId, happening, gates }: RowProps) {
  const { attempt, kind, work } = happening;
  const { did, why } = wordsOf(happening);
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
        {attempt.setAside && <span className="quiet"> (set aside by a rewind)</span>}
      </span>
    </li>
  );
}

/** What was claimed beside what the hub saw; what is known without the gate where that cannot be read. */
function claimText({ read, isReading }: Gates, { dispatchId }: AttemptSummary, otherwise: string): string {
  if (isReading && !read.has(dispatchId)) return "";
  return disproofOf(read.get(dispatchId)) || otherwise;
}

interface AttemptLinkProps {
  readonly pipelineId: string;
  readonly attempt: AttemptSummary;
}

function AttemptLink({ pipelineId, attempt }: AttemptLinkProps) {
  const { stageId, attemptNumber } = attempt;
  const query = useQuery();
  const isShown = query.get("stage") === stageId && query.get("attempt") === String(attemptNumber);
  const tab = attempt.receivedAt ? "evidence" : "overview";
  const history = query.get("history") === "open" ? "&history=open" : "";
  return (
    <Link
      href={attemptAddress(pipelineId, attempt, tab) + history}
      aria-current={isShown || undefined}
      onClick={bringToSight}
    >
      {stageId}, attempt {attemptNumber}
    </Link>
  );
}

/** What a link chooses is further down. */
function bringToSight({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): void {
  if (metaKey || ctrlKey || shiftKey || altKey) return;
  requestAnimationFrame(() => document.querySelector(".stage-panel")?.scrollIntoView({ block: "nearest" }));
}
