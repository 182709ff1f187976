import { type FormEvent, type ReactNode, useId } from "react";
import type { Problem } from "../hub/problem.ts";
import { useSignIn } from "../hub/sign-in.ts";
import { ProblemNotice } from "./problem-notice.tsx";

interface SubmitButtonProps {
  /** What to do before the button can be pressed; empty when nothing is missing. */
  readonly missing: string;
  readonly isBusy?: boolean;
  readonly isGrave?: boolean;
  readonly children: ReactNode;
}

/** The button of a form. While disabled it says why, on screen and to screen readers. */
export function SubmitButton({ missing, isBusy = false, isGrave = false, children }: SubmitButtonProps) {
  const id = useId();
  return (
    <>
      <button
        type="submit"
        className={isGrave ? "button danger" : "button primary"}
        disabled={isBusy || missing !== ""}
        title={missing}
        aria-describedby={id}
      >
        {children}
      </button>
      <span id={id} className="quiet submit-missing">
        {missing}
      </span>
    </>
  );
}

interface ReasonFieldProps {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
  readonly autoFocus?: boolean;
}

export function missingReason(reason: string): string {
  return reason.trim() === "" ? "Enter a reason first." : "";
}

export function ReasonField({ reason, onChange, autoFocus = false }: ReasonFieldProps) {
  return (
    <label className="field">
      <span>Reason</span>
      <input
        className="input"
        // biome-ignore lint/a11y/noAutofocus: set only in dialogs that ask for the reason.
        autoFocus={autoFocus}
        value={reason}
        placeholder="Recorded in the audit log with your name"
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

interface DecisionFormProps {
  readonly id?: string;
  readonly button: string;
  /** What to do before the form can be submitted; empty when nothing is missing. */
  readonly missing: string;
  readonly isBusy: boolean;
  readonly isGrave?: boolean;
  readonly problem: Problem | undefined;
  readonly onSubmit: () => void;
  /** Adds a button that closes the dialog around the form. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** A form that needs an operator. Its fields are disabled while this tab is signed out. */
export function DecisionForm(props: DecisionFormProps) {
  const { id, button, missing, isBusy, isGrave = false, problem, onSubmit, onClose, children } = props;
  const signIn = useSignIn();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form id={id} className={id === undefined ? "stack" : "stack decision"} onSubmit={submit}>
      <fieldset className="stack decision-fields" disabled={signIn.isReadOnly}>
        {children}
      </fieldset>
      {problem && <ProblemNotice problem={problem} />}
      <div className="row">
        <SubmitButton isBusy={isBusy} isGrave={isGrave} missing={signIn.missing || missing}>
          {button}
        </SubmitButton>
        {onClose && (
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        )}
      </div>
    </form>
  );
}

/** The non-empty lines of a text field. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
