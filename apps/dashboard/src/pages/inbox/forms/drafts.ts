import { useState } from "react";
import { onKeyChange } from "../../../hub/key.ts";
import { type Draft, ownWords, readDrafts, storeDrafts } from "./kept-drafts.ts";

/** Unsent decisions, the oldest first. They survive updates of the page, navigation and a reload. */
const drafts = readDrafts(sessionStorage);
const maxDrafts = 200;
/** Questions that somebody else has answered meanwhile. */
const answered = new Set<string>();

onKeyChange(() => {
  drafts.clear();
  store();
});

function store(): void {
  storeDrafts(sessionStorage, new Map([...drafts].filter(([id]) => !answered.has(id))));
}

/** A form field that is restored when the person returns to the question. */
export function useDraft(
  escalationId: string,
  field: string,
  initial = "",
): readonly [string, (value: string) => void] {
  const [value, setValue] = useState(() => drafts.get(escalationId)?.[field] ?? initial);
  const write = (next: string) => {
    const draft: Draft = { ...drafts.get(escalationId), [field]: next };
    drafts.delete(escalationId);
    drafts.set(escalationId, draft);
    const [oldest] = drafts.keys();
    if (drafts.size > maxDrafts && oldest !== undefined) drafts.delete(oldest);
    store();
    setValue(next);
  };
  return [value, write];
}

export function forgetDraft(escalationId: string): void {
  drafts.delete(escalationId);
  store();
}

/** Keeps the draft of an answered question in memory until the next reload, but no longer in storage. */
export function retireDraft(escalationId: string): void {
  if (!drafts.has(escalationId)) return;
  answered.add(escalationId);
  store();
}

/** The texts that the person wrote for a question, without selected options. */
export function draftTexts(escalationId: string): readonly string[] {
  return Object.values(ownWords(drafts.get(escalationId) ?? {}))
    .map((text) => text.trim())
    .filter(Boolean);
}
