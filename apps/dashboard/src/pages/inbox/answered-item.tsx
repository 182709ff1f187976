import type { Escalation } from "@baton/contract/messages";
import { useEffect, useRef } from "react";
import { Ago } from "../../design/time.tsx";
import { Link } from "../../router/link.tsx";
import { runAddress } from "../../router/routes.ts";
import { retireDraft, wordsOf } from "./drafts.ts";
import { kinds } from "./kinds.ts";

/** A question that needs nobody any more: who answered it, how and when, and what was being written meanwhile. */
export function AnsweredItem({ item }: { readonly item: Escalation }) {
  const { escalationId, kind, pipelineId, stageId, snapshot, resolvedAt } = item;
  const words = wordsOf(escalationId);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => retireDraft(escalationId), [escalationId]);
  // Whoever was writing in the form that this takes the place of would be nowhere.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <article className="card inbox-item" aria-labelledby="inbox-problem">
      <header>
        <strong>{kinds[kind]}</strong>
        <span className="badge good">Answered</span>
        <span className="quiet">
          <Ago at={resolvedAt} />
        </span>
      </header>
      <div className="card-body stack">
        <div className="stack tight">
          <h2 id="inbox-problem" className="wrap" ref={heading} tabIndex={-1}>
            {snapshot?.problem}
          </h2>
          <p className="muted">
            <Link href={runAddress(pipelineId, stageId)}>
              {pipelineId}
              {stageId !== "" && ` / ${stageId}`}
            </Link>
          </p>
        </div>
        <div className="notice good" role="status">
          This was answered meanwhile. Nothing is left to decide here.
        </div>
        <dl className="facts">
          <dt>Answered by</dt>
          <dd>{snapshot?.resolvedBy || "the hub itself"}</dd>
          <dt>Answer</dt>
          <dd className="wrap">{snapshot?.resolution || "none: it is no longer asked"}</dd>
        </dl>
        {words.length > 0 && (
          <div className="stack tight">
            <h3>What you had written</h3>
            {words.map((text) => (
              <p key={text} className="wrap written">
                {text}
              </p>
            ))}
          </div>
        )}
        <div className="row">
          <Link className="button" href="/inbox">
            See what else waits
          </Link>
        </div>
      </div>
    </article>
  );
}
