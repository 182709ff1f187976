import type { Pipeline, Stage } from "@baton/contract/messages";
import { attemptsUnderReview, diffSinceCommand } from "@baton/kernel/deciding";
import { Command } from "../../design/code.tsx";
import { readAttempt } from "../../hub/read-attempt.ts";
import { useLive } from "../../hub/use-live.ts";
import { Texts } from "../run/tabs/tab.tsx";

/** For a second review: the earlier rejection and what changed since. */
export function SentBackBefore({
  pipeline,
  stageId,
}: {
  readonly pipeline: Pipeline;
  readonly stageId: string;
}) {
  return attemptsUnderReview(pipeline, stageId).map((stage) => (
    <StageBefore key={stage.dispatchId} stage={stage} />
  ));
}

function StageBefore({ stage }: { readonly stage: Stage }) {
  const { dispatchId, stageId } = stage;
  const { value: attempt } = useLive(`attempt ${dispatchId}`, (signal) => readAttempt(dispatchId, signal), {
    touches: (record) => record.dispatchId === dispatchId,
  });
  const feedback = attempt?.envelope?.reviewFeedback;
  if (!feedback) return null;
  const [reason = "", ...instructions] = feedback.instructions;
  const command = diffSinceCommand(stage, feedback.rejectedAttempt);
  return (
    <section className="stack tight" aria-label={`Attempt ${feedback.rejectedAttempt} of ${stageId}`}>
      <Texts
        title={`Attempt ${feedback.rejectedAttempt} of ${stageId} was sent back`}
        texts={reason === "" ? feedback.failedChecks.map((failed) => failed.reason) : [reason]}
      />
      <Texts title="Instructions given" texts={instructions} />
      {command !== "" && (
        <>
          <p className="muted">Changes since then:</p>
          <Command text={command} />
        </>
      )}
    </section>
  );
}
