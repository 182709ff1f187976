import { type RewindPreview, RiskKind, type Transition } from "@baton/contract/messages";
import { type FormEvent, useState } from "react";
import { DecisionFields } from "../../../design/decision-fields.tsx";
import { ReasonField, whyMissing } from "../../../design/reason-field.tsx";
import { Sheet } from "../../../design/sheet.tsx";
import { SubmitButton } from "../../../design/submit-button.tsx";
import { Trouble } from "../../../design/trouble.tsx";
import { orchestrator } from "../../../hub/client.ts";
import { type Problem, problemOf } from "../../../hub/problem.ts";
import { useSignIn } from "../../../hub/sign-in.ts";
import { useLive } from "../../../hub/use-live.ts";
import { announce } from "../../../shell/announcement.tsx";
import { AtRisk, PreviewView } from "./preview-view.tsx";
import { wordOf } from "./words.ts";

interface RewindSheetProps {
  readonly pipelineId: string;
  readonly target: Transition;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Shows what going there changes, asks why, and does it. */
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
    announce(`The run is at ${where}, and goes on from there.`);
    onDone();
    if (left === "") onClose();
    else setBranchProblem(left);
  };
  return (
    <Sheet title={`${abandoned ? "Return" : "Rewind"} to ${where}`} onClose={onClose}>
      {branchProblem !== "" ? (
        <>
          <p className="notice asks">
            The run has gone there. Branches are not all as they were: {branchProblem}
          </p>
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        </>
      ) : (
        <>
          <p className="muted">
            The run and its branches go to where they stood, and it runs on from there. What is left behind
            stays in this history, and under another name in the repository: you can return to it.
          </p>
          {problem && <Trouble problem={problem} />}
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
            !problem && <p aria-busy="true">Looking at the repository…</p>
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
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const signIn = useSignIn();
  const isStuck = preview.atRisk.some(({ kind }) => kind === RiskKind.CHECKED_OUT);
  const isRisked = preview.atRisk.length > 0 && (isStuck || !discard);
  const missing = isRisked ? "See above what stands in the way." : whyMissing(reason);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const { toRevision, fromRevision } = preview;
      const request = { pipelineId, toRevision, fromRevision, reason: reason.trim(), discard };
      onDone((await orchestrator.rewindPipeline(request)).branchProblem);
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <form className="stack" onSubmit={submit}>
      <DecisionFields>
        <AtRisk preview={preview} discard={discard} onDiscard={setDiscard} />
        <ReasonField reason={reason} onChange={setReason} autoFocus />
      </DecisionFields>
      {problem && <Trouble problem={problem} />}
      <div className="row">
        <SubmitButton isGrave isBusy={isBusy} missing={signIn.missing || missing}>
          {button}
        </SubmitButton>
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  );
}
