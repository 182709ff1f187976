import type { ReferenceReader } from "../ports/outside.ts";

/** Reads nothing: a reference that is too old stays so, and a person is asked. */
export const noReferenceReader: ReferenceReader = {
  read: async ({ refs }) => refs.map(() => ({ ok: false, reason: "this hub has no reader for references" })),
};
