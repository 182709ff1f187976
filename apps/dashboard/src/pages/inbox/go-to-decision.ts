/** The form that decides what is shown. A long change may stand before it. */
export const decisionId = "decision";

/** Brings the form into sight, and the keyboard to its first choice. */
export function goToDecision(): void {
  const form = showDecision();
  form?.querySelector<HTMLElement>("input, textarea")?.focus({ preventScroll: true });
}

/** Brings the form into sight. */
export function showDecision(): HTMLElement | null {
  const form = document.getElementById(decisionId);
  form?.scrollIntoView({ block: "nearest" });
  return form;
}
