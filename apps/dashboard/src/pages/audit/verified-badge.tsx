import type { VerifyAuditResponse } from "@baton/contract/messages";
import { useEffect, useState } from "react";
import { Badge } from "../../design/status.tsx";
import { Ago } from "../../design/time.tsx";
import { audit } from "../../hub/client.ts";
import { type Problem, problemOf } from "../../hub/problem.ts";

/** Whether the whole record holds, as the hub finds when it goes through all of it, and what a signature vouches for. */
export function VerifiedBadge() {
  const [found, setFound] = useState<VerifyAuditResponse>();
  const [problem, setProblem] = useState<Problem>();
  const [asked, ask] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is checked anew when somebody asks for it.
  useEffect(() => {
    const ending = new AbortController();
    setFound(undefined);
    audit.verifyAudit({}, { signal: ending.signal }).then(
      (answer) => {
        setFound(answer);
        setProblem(undefined);
      },
      (error) => ending.signal.aborted || setProblem(problemOf(error)),
    );
    return () => ending.abort();
  }, [asked]);
  return (
    <div className="row verified" role="status">
      {problem && <span className="badge asks">Not checked: {problem.message}</span>}
      {!found && !problem && <Badge word="Checking the record" tone="busy" sign="running" />}
      {found && <Verdict found={found} />}
      <button
        type="button"
        className="button small"
        onClick={() => ask(asked + 1)}
        disabled={!found && !problem}
        title={!found && !problem ? "The record is being checked" : ""}
      >
        Check again
      </button>
    </div>
  );
}

function Verdict({ found }: { readonly found: VerifyAuditResponse }) {
  const { valid, entriesChecked, firstBadSequence, problem, checkpoint, vouchedThrough } = found;
  if (!valid)
    return (
      <span className="badge bad">
        Entry {String(firstBadSequence)} is wrong: {problem}
      </span>
    );
  return (
    <>
      <Badge word="Verified" tone="good" sign="done" />
      <span className="quiet">
        {String(entriesChecked)} entries, signed through {String(vouchedThrough)}
        {checkpoint?.issuedAt && (
          <>
            , checkpoint <Ago at={checkpoint.issuedAt} />
          </>
        )}
      </span>
    </>
  );
}
