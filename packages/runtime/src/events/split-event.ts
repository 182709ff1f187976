import type { Event } from "@baton/contract";
import { sizeLimits } from "./event-size.ts";
import { derivedId } from "./stored-events.ts";

/**
 * Splits thoughts and lines that are too large for one event; other events stay whole. The last piece has the original
 * id, so that a retransmission is recognised.
 */
export function splitEvent(event: Event): readonly Event[] {
  const { payload } = event;
  switch (payload.case) {
    case "thoughtStream": {
      const { value } = payload;
      return cut(value.chunk, event, (chunk, isLast) => ({
        ...{ case: "thoughtStream", value: { ...value, chunk, isFinal: value.isFinal && isLast } },
      }));
    }
    case "sandboxPulse": {
      const { value } = payload;
      return cut(value.line, event, (line, _, isFirst) => ({
        ...{ case: "sandboxPulse", value: { ...value, line, leftOut: isFirst ? value.leftOut : 0 } },
      }));
    }
    default:
      return [event];
  }
}

function cut(
  text: string,
  event: Event,
  payloadOf: (piece: string, isLast: boolean, isFirst: boolean) => Event["payload"],
): readonly Event[] {
  if (text.length <= sizeLimits.pieceCharacters) return [event];
  const pieces: Event[] = [];
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from + sizeLimits.pieceCharacters);
    const isLast = to === text.length;
    const eventId = isLast ? event.eventId : derivedId(event.eventId, "piece", `${pieces.length}`);
    pieces.push({ ...event, eventId, payload: payloadOf(text.slice(from, to), isLast, from === 0) });
    from = to;
  }
  return pieces;
}

/** Does not split surrogate pairs. */
function endOfPiece(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHalf ? end - 1 : end;
}
