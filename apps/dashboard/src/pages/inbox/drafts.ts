import { useState } from "react";
import { onKeyChange } from "../../hub/key.ts";
import { type Draft, keepDrafts, readDrafts, wordsIn } from "./kept-drafts.ts";

/** What is being written to decide a question, the oldest first: neither news, a look elsewhere nor a reload costs a word. */
const drafts = readDrafts(sessionStorage);
const mostDrafts = 200;
/** Questions that somebody else has answered meanwhile. */
const answered = new Set<string>();

onKeyChange(() => {
  drafts.clear();
  keep();
});

function keep(): void {
  keepDrafts(sessionStorage, new Map([...drafts].filter(([id]) => !answered.has(id))));
}

/** A field of a form that decides a question. Whoever comes back to the question finds it as it was. */
export function useDraft(
  escalationId: string,
  field: string,
  initial = "",
): readonly [string, (value: string) => void] {
  const [value, show] = useState(() => drafts.get(escalationId)?.[field] ?? initial);
  const write = (next: string) => {
    const draft: Draft = { ...drafts.get(escalationId), [field]: next };
    drafts.delete(escalationId);
    drafts.set(escalationId, draft);
    const [oldest] = drafts.keys();
    if (drafts.size > mostDrafts && oldest !== undefined) drafts.delete(oldest);
    keep();
    show(next);
  };
  return [value, write];
}

export function forgetDraft(escalationId: string): void {
  drafts.delete(escalationId);
  keep();
}

/** What was written for a question that is answered is shown until the page is loaded again, and kept no longer. */
export function retireDraft(escalationId: string): void {
  if (!drafts.has(escalationId)) return;
  answered.add(escalationId);
  keep();
}

/** What somebody wrote for a question, in their own words; what was only chosen is not told. */
export function wordsOf(escalationId: string): readonly string[] {
  return Object.values(wordsIn(drafts.get(escalationId) ?? {}))
    .map((text) => text.trim())
    .filter(Boolean);
}
