import { type RewindPreview, RiskKind, type Transition } from "@baton/contract/messages";
import { useState } from "react";
import { DecisionForm, missingReason, ReasonField } from "../../../design/form.tsx";
import { ProblemNotice } from "../../../design/problem-notice.tsx";
import { Sheet } from "../../../design/sheet.tsx";
import { orchestrator } from "../../../hub/client.ts";
import { useLive } from "../../../hub/use-live.ts";
import { announce } from "../../../shell/announcement.tsx";
import { useAction } from "../../../shell/use-action.ts";
import { wordOf } from "./history-row.tsx";
import { AtRisk, PreviewView } from "./preview-view.tsx";

interface RewindSheetProps {
  readonly pipelineId: string;
  readonly target: Transition;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Previews a rewind, asks for the reason and runs it. */
export function RewindSheet({ pipelineId, target, onDone, onClose }: RewindSheetProps) {
  const { revision, stageId, toStatus, abandoned } = target;
  const { value: preview, problem } = useLive(
    `rewind ${pipelineId} ${revision}`,
    async (signal) => {
      return (await orchestrator.previewRewind({ pipelineId, toRevision: revision }, { signal })).preview;
    },
    { touches: (record) => record.pipelineId === pipelineId },
  );
  const [branchProblem, setBranchProblem] = useState("");
  const where = `revision ${revision}, ${stageId || "the run"} ${wordOf(toStatus)}`;
  const finish = (left: string) => {
    announce(`The run continues from ${where}.`);
    onDone();
    if (left === "") onClose();
    else setBranchProblem(left);
  };
  return (
    <Sheet title={`${abandoned ? "Return" : "Rewind"} to ${where}`} onClose={onClose}>
      {branchProblem !== "" ? (
        <>
          <p className="notice asks">
            The run was rewound, but not every branch was restored: {branchProblem}
          </p>
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        </>
      ) : (
        <>
          <p className="muted">
            Takes the run and its branches back to this revision and continues from there. Later work stays in
            this history and in the repository, so you can return to it.
          </p>
          {problem && <ProblemNotice problem={problem} />}
          {preview ? (
            <>
              <PreviewView preview={preview} />
              <RewindForm
                pipelineId={pipelineId}
                preview={preview}
                button={abandoned ? "Return" : "Rewind"}
                onDone={finish}
                onClose={onClose}
              />
            </>
          ) : (
            !problem && <p aria-busy="true">Reading the repository…</p>
          )}
        </>
      )}
    </Sheet>
  );
}

interface RewindFormProps {
  readonly pipelineId: string;
  readonly preview: RewindPreview;
  readonly button: string;
  readonly onDone: (branchProblem: string) => void;
  readonly onClose: () => void;
}

function RewindForm({ pipelineId, preview, button, onDone, onClose }: RewindFormProps) {
  const [reason, setReason] = useState("");
  const [discard, setDiscard] = useState(false);
  const { problem, isBusy, run } = useAction(onDone);
  const isBlocked = preview.atRisk.some(({ kind }) => kind === RiskKind.CHECKED_OUT);
  const isAtRisk = preview.atRisk.length > 0 && (isBlocked || !discard);
  const rewind = async () => {
    const { toRevision, fromRevision } = preview;
    const request = { pipelineId, toRevision, fromRevision, reason: reason.trim(), discard };
    return (await orchestrator.rewindPipeline(request)).branchProblem;
  };
  return (
    <DecisionForm
      button={button}
      missing={isAtRisk ? "Resolve the risk above first." : missingReason(reason)}
      isBusy={isBusy}
      isGrave
      problem={problem}
      onSubmit={() => void run(rewind)}
      onClose={onClose}
    >
      <AtRisk preview={preview} discard={discard} onDiscard={setDiscard} />
      <ReasonField reason={reason} onChange={setReason} autoFocus />
    </DecisionForm>
  );
}
