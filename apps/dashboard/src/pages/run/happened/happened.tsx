import "./happened.css";
import {
  AttemptPart,
  type AttemptSummary,
  type GetAttemptsResponse,
  type Pipeline,
} from "@baton/contract/messages";
import { type CSSProperties, type MouseEvent, useEffect, useRef, useState } from "react";
import { hasEnded } from "../../../design/ends.ts";
import { Sign } from "../../../design/signs.tsx";
import { inspection } from "../../../hub/client.ts";
import { useLive } from "../../../hub/use-live.ts";
import { Link } from "../../../router/link.tsx";
import { useQuery } from "../../../router/location.ts";
import { attemptAddress } from "../../../router/routes.ts";
import { disproofOf, type Happening, happeningsOf, wordsOf } from "./happened.ts";

/** More than these are in the history. */
const most = 20;

interface HappenedProps {
  readonly pipeline: Pipeline;
  readonly told: GetAttemptsResponse | undefined;
}

/**
 * What went other than straight on, in words: claims that did not hold, what was rejected and why, failures, questions.
 * Whoever sees a run go on sees nothing move when there is more to tell: the room for it is there before.
 */
export function Happened({ pipeline, told }: HappenedProps) {
  const [wasUnderWay] = useState(!hasEnded(pipeline));
  const all = told && happeningsOf(told.attempts);
  const shown = all?.slice(-most) ?? [];
  const list = useRef<HTMLOListElement>(null);
  // What came last is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one more makes the list longer.
  useEffect(() => {
    if (wasUnderWay) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [wasUnderWay, shown.length]);
  const expected = all?.length ?? expectedOf(pipeline);
  if (!wasUnderWay && expected === 0) return null;
  return (
    <section
      className={wasUnderWay ? "card happened reserved" : "card happened"}
      aria-labelledby="what-happened"
    >
      <h2 id="what-happened">What happened</h2>
      {all !== undefined && shown.length === 0 ? (
        <p className="quiet">Nothing was sent back{hasEnded(pipeline) ? "." : " so far."}</p>
      ) : (
        <ol
          ref={list}
          style={{ "--rows": Math.min(expected, most) } as CSSProperties}
          aria-busy={all === undefined}
        >
          {expected > most && (
            <li className="quiet">{expected - most} more before these are in the history.</li>
          )}
          {shown.map((happening) => (
            <Row key={happening.attempt.dispatchId} pipelineId={pipeline.pipelineId} happening={happening} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** What the hub has summed up tells how much room it takes, before it is read. */
function expectedOf({ summary }: Pipeline): number {
  return summary ? summary.totalRetries + summary.totalRejections : 0;
}

interface RowProps {
  readonly pipelineId: string;
  readonly happening: Happening;
}

function Row({ pipelineId, happening }: RowProps) {
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
          <Claim dispatchId={attempt.dispatchId} otherwise={did + why} />
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

interface ClaimProps {
  readonly dispatchId: string;
  /** What is known without the gate. */
  readonly otherwise: string;
}

/** What was claimed beside what the hub saw. What the gate found does not change any more: it is read once. */
function Claim({ dispatchId, otherwise }: ClaimProps) {
  const { value: gate, problem } = useLive(
    `gate ${dispatchId}`,
    async (signal) => {
      return (await inspection.getAttempt({ dispatchId, part: AttemptPart.GATE }, { signal })).gate ?? null;
    },
    { touches: () => false },
  );
  if (gate === undefined && problem === undefined) return null;
  return disproofOf(gate ?? undefined) || otherwise;
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
  return (
    <Link
      href={attemptAddress(pipelineId, attempt, tab)}
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
