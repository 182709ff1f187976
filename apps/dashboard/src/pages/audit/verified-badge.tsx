import type { VerifyAuditResponse } from "@baton/contract/messages";
import { useEffect, useState } from "react";
import { Badge } from "../../design/status.tsx";
import { Ago } from "../../design/time.tsx";
import { audit } from "../../hub/client.ts";
import { type Problem, problemOf } from "../../hub/problem.ts";

/** The result of verifying the whole record. */
export function VerifiedBadge() {
  const [found, setFound] = useState<VerifyAuditResponse>();
  const [problem, setProblem] = useState<Problem>();
  const [checks, setChecks] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a click on the button repeats the check.
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
  }, [checks]);
  return (
    <div className="row verified" role="status">
      {problem && <span className="badge asks">Not verified: {problem.message}</span>}
      {!found && !problem && <Badge word="Verifying" tone="busy" sign="running" />}
      {found && <Verdict found={found} />}
      <button
        type="button"
        className="button small"
        onClick={() => setChecks(checks + 1)}
        disabled={!found && !problem}
        title={!found && !problem ? "Verification is running" : ""}
      >
        Verify again
      </button>
    </div>
  );
}

function Verdict({ found }: { readonly found: VerifyAuditResponse }) {
  const { valid, entriesChecked, firstBadSequence, problem, checkpoint, vouchedThrough } = found;
  if (!valid)
    return (
      <span className="badge bad">
        Entry {String(firstBadSequence)} is invalid: {problem}
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
