import type { AttemptSummary, GetAttemptResponse } from "@baton/contract/messages";
import { TextDiff } from "../../../design/diff-view.tsx";
import { Badge } from "../../../design/status.tsx";
import { endingLook } from "../ending.ts";
import { useAttempt, useChanges } from "../use-attempts.ts";
import { artifactsText, briefingText, checksText, pairOf } from "./compare.ts";
import { Part, type TabProps } from "./tab.tsx";

/** Compares an attempt with the one before: instructions, changes and check results. */
export function CompareTab({
  pipeline,
  summary,
  attempts,
}: TabProps & { readonly attempts: readonly AttemptSummary[] }) {
  const [older, newer] = pairOf(attempts, summary) ?? [];
  const { value: before } = useAttempt(pipeline.pipelineId, older);
  const { value: after } = useAttempt(pipeline.pipelineId, newer);
  const [changedBefore, changed] = [useChanges(older).value, useChanges(newer).value];
  if (!older || !newer) return <p className="quiet">There is only one attempt.</p>;
  if (!before || !after) return <p className="quiet">Loading attempts…</p>;
  return (
    <div className="stack">
      <div className="sides">
        <Head summary={older} attempt={before} />
        <Head summary={newer} attempt={after} />
      </div>
      <Part title="Instructions">
        <TextDiff before={briefingText(before)} after={briefingText(after)} />
      </Part>
      <Part title="Files and decisions">
        <TextDiff before={artifactsText(before)} after={artifactsText(after)} />
      </Part>
      {changedBefore && changed && changedBefore.patch + changed.patch !== "" && (
        <Part title="Changes">
          <TextDiff before={changedBefore.patch} after={changed.patch} />
        </Part>
      )}
      <Part title="Check results">
        <TextDiff before={checksText(before)} after={checksText(after)} />
      </Part>
    </div>
  );
}

function Head({
  summary,
  attempt,
}: {
  readonly summary: AttemptSummary;
  readonly attempt: GetAttemptResponse;
}) {
  return (
    <div className="stack tight">
      <div className="row">
        <h3>Attempt {summary.attemptNumber}</h3>
        <Badge {...endingLook(summary)} />
      </div>
      <p className="wrap">
        {attempt.result?.status?.summary || attempt.result?.status?.failureReason || "No answer"}
      </p>
      {summary.reason !== "" && <p className="muted wrap">{summary.reason}</p>}
    </div>
  );
}
