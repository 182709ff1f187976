import { type ReactNode, useId } from "react";

interface SubmitButtonProps {
  /** What has to be done before it can be pressed; empty when nothing has. */
  readonly missing: string;
  readonly isBusy?: boolean;
  readonly isGrave?: boolean;
  readonly children: ReactNode;
}

/** The button of a form. While it cannot be pressed it says why, to eyes and to screen readers. */
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
