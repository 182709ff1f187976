import type { StoredJournal } from "@baton/runtime";

/** What the checks read of a record: its kind and whom it is about. They read it as it is stored, without the hub. */
export interface StoredRecord {
  readonly type: string;
  readonly stage?: number;
  readonly target?: number;
  readonly reset?: readonly number[];
  readonly dispatchId?: string;
  readonly counts?: boolean;
}

/** The form of stored texts that is understood here: a store of chaos is always new. */
const knownForm = 2;

export function readRecords({ pipelineId, texts }: StoredJournal): readonly StoredRecord[] {
  return texts.flatMap((text) => {
    const stored: unknown = JSON.parse(text);
    if (!isStored(stored))
      throw new Error(`the journal of ${pipelineId} is stored in a form that is not known`);
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
