import { type FormEvent, type ReactNode, useState } from "react";
import { DecisionFields } from "../../design/decision-fields.tsx";
import { ReasonField, whyMissing } from "../../design/reason-field.tsx";
import { Sheet } from "../../design/sheet.tsx";
import { SubmitButton } from "../../design/submit-button.tsx";
import { Trouble } from "../../design/trouble.tsx";
import { type Problem, problemOf } from "../../hub/problem.ts";
import { useSignIn } from "../../hub/sign-in.ts";

interface ReasonSheetProps {
  readonly title: string;
  /** What will happen. */
  readonly tells: string;
  readonly button: string;
  readonly isGrave: boolean;
  /** Fields beside the reason. */
  readonly children?: ReactNode;
  /** What of them is missing or wrong; empty when nothing is. */
  readonly missing?: string;
  readonly onRun: (reason: string) => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Says what will happen, asks why, and does it. */
export function ReasonSheet(props: ReasonSheetProps) {
  const { title, tells, button, isGrave, children, missing = "", onRun, onDone, onClose } = props;
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const signIn = useSignIn();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await onRun(reason.trim());
      onDone();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <Sheet title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p className="muted">{tells}</p>
        <DecisionFields>
          {children}
          <ReasonField reason={reason} onChange={setReason} autoFocus={children === undefined} />
        </DecisionFields>
        {problem && <Trouble problem={problem} />}
        <div className="row">
          <SubmitButton
            isGrave={isGrave}
            isBusy={isBusy}
            missing={signIn.missing || missing || whyMissing(reason)}
          >
            {button}
          </SubmitButton>
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        </div>
      </form>
    </Sheet>
  );
}
