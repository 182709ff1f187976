/** The fields of an unsent decision. */
export type Draft = Readonly<Record<string, string>>;

/** Only written text is restored after a reload. Selected options are not: a reload must never approve. */
const textFields = ["answer", "instructions", "reason"] as const;

const name = "baton.drafts";
export const maxKept = 50;
export const maxLength = 20_000;

type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;

/** The written texts of a draft, by field. */
export function ownWords(draft: Draft): Draft {
  return Object.fromEntries(textFields.flatMap((field) => (draft[field] ? [[field, draft[field]]] : [])));
}

/** Stores the newest drafts until the tab closes. Drafts that are too long stay in memory only. */
export function storeDrafts(storage: Storage, drafts: ReadonlyMap<string, Draft>): void {
  const kept = [...drafts]
    .map(([id, draft]) => [id, ownWords(draft)] as const)
    .filter(([, words]) => fits(words))
    .slice(-maxKept);
  try {
    if (kept.length === 0) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(kept));
  } catch {
    // Storage is full or disabled: drafts stay in memory only.
  }
}

/** The stored drafts. Invalid entries are ignored. */
export function readDrafts(storage: Storage): Map<string, Draft> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(name) ?? "[]");
    return new Map(Array.isArray(kept) ? kept.flatMap(readDraft).slice(-maxKept) : []);
  } catch {
    return new Map();
  }
}

function readDraft(entry: unknown): (readonly [string, Draft])[] {
  if (!Array.isArray(entry)) return [];
  const [id, draft] = entry as readonly unknown[];
  if (typeof id !== "string" || typeof draft !== "object" || draft === null) return [];
  const texts = Object.entries(draft).filter(([, text]) => typeof text === "string");
  const words = ownWords(Object.fromEntries(texts));
  return fits(words) ? [[id, words]] : [];
}

function fits(words: Draft): boolean {
  const length = Object.values(words).reduce((sum, text) => sum + text.length, 0);
  return length > 0 && length <= maxLength;
}
