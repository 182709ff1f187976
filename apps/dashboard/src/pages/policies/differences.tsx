import type { CompareRoutingResponse } from "@baton/contract/messages";
import { Link } from "../../router/link.tsx";
import { attemptAddress } from "../../router/routes.ts";

export function Differences({ found }: { readonly found: CompareRoutingResponse }) {
  const { dispatchesSeen, differences, pipelinesLookedAt } = found;
  const past = dispatchesSeen === 1 ? "past dispatch" : "past dispatches";
  const runs = pipelinesLookedAt === 1 ? "the last run" : `the last ${pipelinesLookedAt} runs`;
  return (
    <div className="stack tight" role="status">
      <p>
        {dispatchesSeen === 0
          ? `No task of this type was dispatched in ${runs}.`
          : `${differences.length} of ${dispatchesSeen} ${past} in ${runs} would have been dispatched differently.`}
      </p>
      {differences.length > 0 && (
        <ul className="differences">
          {differences.map(
            ({ dispatchId, wasPackId, wouldBePackId, wouldBeInstanceId, wasInstanceId, refused }) => {
              const [pipelineId = "", stageId = "", attempt = ""] = dispatchId.split("/");
              const address = attemptAddress(pipelineId, { stageId, attemptNumber: Number(attempt) }, "why");
              return (
                <li key={dispatchId}>
                  <Link href={address}>{dispatchId}</Link>{" "}
                  <span className="muted">
                    {wasPackId} ({wasInstanceId})
                  </span>
                  {" → "}
                  {refused === "" ? (
                    <strong>
                      {wouldBePackId} ({wouldBeInstanceId})
                    </strong>
                  ) : (
                    <strong className="nowhere">no agent: {refused}</strong>
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
