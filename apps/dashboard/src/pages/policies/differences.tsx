import type { CompareRoutingResponse } from "@baton/contract/messages";
import { Link } from "../../router/link.tsx";
import { runAddress } from "../../router/routes.ts";

export function Differences({ found }: { readonly found: CompareRoutingResponse }) {
  const { dispatchesSeen, differences } = found;
  const one = dispatchesSeen === 1;
  return (
    <div className="stack tight" role="status">
      <p>
        {dispatchesSeen === 0
          ? "No such task was dispatched yet, so there is nothing to compare with."
          : `${differences.length} of ${dispatchesSeen} past ${one ? "dispatch" : "dispatches"} would have gone elsewhere, from what was known at the time.`}
      </p>
      {differences.length > 0 && (
        <ul className="differences">
          {differences.map(
            ({ dispatchId, wasPackId, wouldBePackId, wouldBeInstanceId, wasInstanceId, refused }) => {
              const [pipelineId = "", stageId = ""] = dispatchId.split("/");
              return (
                <li key={dispatchId}>
                  <Link href={runAddress(pipelineId, stageId)}>{dispatchId}</Link>{" "}
                  <span className="muted">
                    {wasPackId} ({wasInstanceId})
                  </span>
                  {" → "}
                  {refused === "" ? (
                    <strong>
                      {wouldBePackId} ({wouldBeInstanceId})
                    </strong>
                  ) : (
                    <strong className="nowhere">nobody: {refused}</strong>
                  )}
                </li>
              );
            },
          )}
        </ul>
      )}
    </div>
  );
}
