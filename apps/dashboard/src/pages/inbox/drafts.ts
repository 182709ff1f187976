import { useState } from "react";
import { onKeyChange } from "../../hub/key.ts";

type Draft = Record<string, string>;

/** What is being written to decide a question, for as long as the tab is open: neither news nor a look elsewhere costs a word. */
const drafts = new Map<string, Draft>();
const mostDrafts = 200;

onKeyChange(() => drafts.clear());

/** A field of a form that decides a question. Whoever comes back to the question finds it as it was. */
export function useDraft(
  escalationId: string,
  field: string,
  initial = "",
): readonly [string, (value: string) => void] {
  const [value, show] = useState(() => drafts.get(escalationId)?.[field] ?? initial);
  const write = (next: string) => {
    const draft = { ...drafts.get(escalationId), [field]: next };
    drafts.delete(escalationId);
    drafts.set(escalationId, draft);
    const [oldest] = drafts.keys();
    if (drafts.size > mostDrafts && oldest !== undefined) drafts.delete(oldest);
    show(next);
  };
  return [value, write];
}

export function forgetDraft(escalationId: string): void {
  drafts.delete(escalationId);
}

/** What somebody wrote for a question, in their own words; what was only chosen is not told. */
export function wordsOf(escalationId: string): readonly string[] {
  const { answer = "", instructions = "", reason = "" } = drafts.get(escalationId) ?? {};
  return [answer, instructions, reason].map((text) => text.trim()).filter(Boolean);
}
