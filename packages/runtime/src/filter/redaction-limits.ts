import { defaultLimits, type Limits } from "@baton/contract";

/**
 * What redaction looks at of one answer. It has more elements than a message that comes in may have: a page has up to a
 * thousand rows, and a pipeline up to a thousand stages with their results. Of a page there are no more than one for each
 * two bytes.
 */
export const redactionLimits: Limits = { ...defaultLimits, maxElements: 400_000 };
