import { batch, content, transition } from "@baton/conformance/store/rows.ts";
import type { Batch } from "../../../ports/store.ts";

/** One more record in the journal of "p1", with enough text to fill a store. */
export function oneMore(version: number, size = 1000): Batch {
  const text = `record ${version + 1} ${"x".repeat(size)}`;
  return batch({
    transitions: [
      transition("p1", version, {
        records: { text, count: 1 },
        contents: [content(`content ${version + 1}`)],
      }),
    ],
  });
}
