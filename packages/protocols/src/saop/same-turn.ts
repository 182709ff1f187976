import type { TurnEnvelope } from "./turn-envelope.ts";

/**
 * Whether two turns that were read have the same content. The timestamp does not count: an agent that sends its turns again
 * after a restart may not know when each of them ended.
 */
export function isSameTurn(one: TurnEnvelope, other: TurnEnvelope): boolean {
  return contentOf(one) === contentOf(other);
}

/** The schema gives the fields of a turn their order. */
function contentOf({ metadata: { timestamp: _, ...metadata }, ...turn }: TurnEnvelope): string {
  return JSON.stringify({ ...turn, metadata });
}
