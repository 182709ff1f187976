interface ReasonFieldProps {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
  readonly autoFocus?: boolean;
}

/** What a button has to say while no reason is given. */
export function whyMissing(reason: string): string {
  return reason.trim() === "" ? "Enter a reason first." : "";
}

/** Why something is done. Whoever looks at the record later wants to know. */
export function ReasonField({ reason, onChange, autoFocus = false }: ReasonFieldProps) {
  return (
    <label className="field">
      <span>Why</span>
      <input
        className="input"
        // biome-ignore lint/a11y/noAutofocus: where it is set, a dialog was opened to fill this in.
        autoFocus={autoFocus}
        value={reason}
        placeholder="Recorded in the audit log with your name"
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
