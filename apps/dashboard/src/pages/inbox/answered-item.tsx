import type { Escalation } from "@baton/contract/messages";
import { useEffect, useRef } from "react";
import { Ago } from "../../design/time.tsx";
import { Link } from "../../router/link.tsx";
import { runAddress } from "../../router/routes.ts";
import { draftTexts, retireDraft } from "./forms/drafts.ts";
import { kinds } from "./kinds.ts";

/** A resolved question: who resolved it, how and when, and the unsent draft of this tab. */
export function AnsweredItem({ item }: { readonly item: Escalation }) {
  const { escalationId, kind, pipelineId, stageId, snapshot, resolvedAt } = item;
  const draft = draftTexts(escalationId);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => retireDraft(escalationId), [escalationId]);
  // This replaces a form that may have had the focus.
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
          This question has been answered. No decision is needed.
        </div>
        <dl className="facts">
          <dt>Answered by</dt>
          <dd>{snapshot?.resolvedBy || "the hub"}</dd>
          <dt>Answer</dt>
          <dd className="wrap">{snapshot?.resolution || "None. The question no longer applies."}</dd>
        </dl>
        {draft.length > 0 && (
          <div className="stack tight">
            <h3>Your unsent draft</h3>
            {draft.map((text) => (
              <p key={text} className="wrap written">
                {text}
              </p>
            ))}
          </div>
        )}
        <div className="row">
          <Link className="button" href="/inbox">
            View open questions
          </Link>
        </div>
      </div>
    </article>
  );
}
