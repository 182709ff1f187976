import type { StoredJournal } from "@baton/runtime";

/** The fields of a stored record that the checks read, decoded without the hub. */
export interface StoredRecord {
  readonly type: string;
  readonly stage?: number;
  readonly target?: number;
  readonly reset?: readonly number[];
  readonly dispatchId?: string;
  readonly counts?: boolean;
}

/** The supported form of stored texts: the store is always new. */
const knownForm = 2;

export function readRecords({ pipelineId, texts }: StoredJournal): readonly StoredRecord[] {
  return texts.flatMap((text) => {
    const stored: unknown = JSON.parse(text);
    if (!isStored(stored)) throw new Error(`the journal of ${pipelineId} has an unknown form`);
    return stored.content;
  });
}

function isStored(value: unknown): value is { readonly content: readonly StoredRecord[] } {
  return (
    typeof value === "object" &&
    value !== null &&
    "form" in value &&
    value.form === knownForm &&
    "content" in value &&
    Array.isArray(value.content)
  );
}
