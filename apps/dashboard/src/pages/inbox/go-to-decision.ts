/** The id of the decision form. A long diff may precede it. */
export const decisionId = "decision";

/** Scrolls to the decision form and focuses its first choice. */
export function goToDecision(): void {
  const form = showDecision();
  form?.querySelector<HTMLElement>("input, textarea")?.focus({ preventScroll: true });
}

export function showDecision(): HTMLElement | null {
  const form = document.getElementById(decisionId);
  form?.scrollIntoView({ block: "nearest" });
  return form;
}

/** Scrolls to the selected question, which is below the list on narrow screens. */
export function showQuestion(): void {
  const question = document.querySelector(".inbox-item");
  const top = question?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > window.innerHeight / 2) question?.scrollIntoView({ block: "start" });
}
