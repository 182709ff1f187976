/** What is being written to decide a question, by field. */
export type Draft = Readonly<Record<string, string>>;

/** What a person has written in their own words. What was only chosen is chosen again: nobody approves by a reload. */
const ownWords = ["answer", "instructions", "reason"] as const;

const name = "baton.drafts";
/** The newest of these many are kept, and of each no more than these many characters. */
export const mostKept = 50;
export const mostLetters = 20_000;

type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;

/** The words of a draft that somebody wrote, by field. */
export function wordsIn(draft: Draft): Draft {
  return Object.fromEntries(ownWords.flatMap((field) => (draft[field] ? [[field, draft[field]]] : [])));
}

/** Keeps what was written until the tab is closed, the oldest first; what is too long for it lasts until a reload. */
export function keepDrafts(storage: Storage, drafts: ReadonlyMap<string, Draft>): void {
  const kept = [...drafts]
    .map(([id, draft]) => [id, wordsIn(draft)] as const)
    .filter(([, words]) => isKept(lettersOf(words)))
    .slice(-mostKept);
  try {
    if (kept.length === 0) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing, or is full: what is written lasts until a reload.
  }
}

/** What was being written before the page was loaded again. What does not look like it is nothing. */
export function readDrafts(storage: Storage): Map<string, Draft> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(name) ?? "[]");
    return new Map(Array.isArray(kept) ? kept.flatMap(readDraft).slice(-mostKept) : []);
  } catch {
    return new Map();
  }
}

function readDraft(entry: unknown): (readonly [string, Draft])[] {
  if (!Array.isArray(entry)) return [];
  const [id, draft] = entry as readonly unknown[];
  if (typeof id !== "string" || typeof draft !== "object" || draft === null) return [];
  const texts = Object.entries(draft).filter(([, text]) => typeof text === "string");
  const words = wordsIn(Object.fromEntries(texts));
  return isKept(lettersOf(words)) ? [[id, words]] : [];
}

function isKept(letters: number): boolean {
  return letters > 0 && letters <= mostLetters;
}

function lettersOf(words: Draft): number {
  return Object.values(words).reduce((sum, text) => sum + text.length, 0);
}
