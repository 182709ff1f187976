import type { AttemptSummary, GetAttemptResponse } from "@baton/contract/messages";
import { TextDiff } from "../../../design/diff-view.tsx";
import { Badge } from "../../../design/status.tsx";
import { endingLook } from "../ending.ts";
import { useAttempt } from "../use-attempts.ts";
import { useChanges } from "../use-changes.ts";
import { artifactsText, checksText, toldText } from "./compare.ts";
import type { TabProps } from "./tab-props.ts";
import { Part } from "./texts.tsx";

/** What changed from one attempt to the next: what it was told, what it did, what held. */
export function CompareTab({
  pipeline,
  summary,
  attempt,
  attempts,
}: TabProps & { readonly attempts: readonly AttemptSummary[] }) {
  const before = earlier(attempts, summary);
  const { value: other } = useAttempt(before, pipeline.pipelineId);
  const [changedBefore, changed] = [useChanges(before).value, useChanges(summary).value];
  if (!before || !summary || !attempt || !other) return <p className="quiet">Reading both attempts…</p>;
  return (
    <div className="stack">
      <div className="sides">
        <Head summary={before} attempt={other} />
        <Head summary={summary} attempt={attempt} />
      </div>
      <Part title="What it was told">
        <TextDiff before={toldText(other)} after={toldText(attempt)} />
      </Part>
      <Part title="What it touched and decided">
        <TextDiff before={artifactsText(other)} after={artifactsText(attempt)} />
      </Part>
      {changedBefore && changed && changedBefore.patch + changed.patch !== "" && (
        <Part title="What it changed">
          <TextDiff before={changedBefore.patch} after={changed.patch} />
        </Part>
      )}
      <Part title="What the checks found">
        <TextDiff before={checksText(other)} after={checksText(attempt)} />
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
        {attempt.result?.status?.summary || attempt.result?.status?.failureReason || "no answer"}
      </p>
      {summary.reason !== "" && <p className="muted wrap">{summary.reason}</p>}
    </div>
  );
}

/** The one before; for the first attempt the one after it, which is then shown as what it is: another. */
function earlier(
  attempts: readonly AttemptSummary[],
  chosen: AttemptSummary | undefined,
): AttemptSummary | undefined {
  const place = attempts.findIndex(({ dispatchId }) => dispatchId === chosen?.dispatchId);
  return attempts[place - 1] ?? attempts[place + 1];
}
