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

/** Brings the question that is shown into sight. On a narrow page it stands below the list. */
export function showQuestion(): void {
  const question = document.querySelector(".inbox-item");
  const top = question?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > window.innerHeight / 2) question?.scrollIntoView({ block: "start" });
}
