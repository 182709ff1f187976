import { type ReactNode, useState } from "react";
import { DecisionForm, missingReason, ReasonField } from "../../design/form.tsx";
import { Sheet } from "../../design/sheet.tsx";
import { useAction } from "../../shell/use-action.ts";

interface ReasonSheetProps {
  readonly title: string;
  /** What the action does. */
  readonly effect: string;
  readonly button: string;
  readonly isGrave?: boolean;
  /** Fields before the reason. */
  readonly children?: ReactNode;
  /** What the fields still need; empty when they are complete. */
  readonly missing?: string;
  readonly onRun: (reason: string) => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** A dialog that explains an action, asks for the reason and runs it. */
export function ReasonSheet(props: ReasonSheetProps) {
  const { title, effect, button, isGrave = false, children, missing = "", onRun, onDone, onClose } = props;
  const [reason, setReason] = useState("");
  const { problem, isBusy, run } = useAction(onDone);
  return (
    <Sheet title={title} onClose={onClose}>
      <p className="muted">{effect}</p>
      <DecisionForm
        button={button}
        missing={missing || missingReason(reason)}
        isBusy={isBusy}
        isGrave={isGrave}
        problem={problem}
        onSubmit={() => void run(() => onRun(reason.trim()))}
        onClose={onClose}
      >
        {children}
        <ReasonField reason={reason} onChange={setReason} autoFocus={children === undefined} />
      </DecisionForm>
    </Sheet>
  );
}
