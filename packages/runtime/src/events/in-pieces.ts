import type { Event } from "@baton/contract";
import { shownLimits } from "./shown-size.ts";
import { sameId } from "./stored-events.ts";

/**
 * A thought, or a line, that would be too large for one event: nothing of it is lost when it is told in several. The last one
 * has the id, because who says it again says what is stored. Other events are whole.
 */
export function inPieces(event: Event): readonly Event[] {
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
  if (text.length <= shownLimits.pieceCharacters) return [event];
  const pieces: Event[] = [];
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from + shownLimits.pieceCharacters);
    const isLast = to === text.length;
    const eventId = isLast ? event.eventId : sameId(event.eventId, "piece", `${pieces.length}`);
    pieces.push({ ...event, eventId, payload: payloadOf(text.slice(from, to), isLast, from === 0) });
    from = to;
  }
  return pieces;
}

/** Not between the halves of a character. */
function endOfPiece(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHalf ? end - 1 : end;
}
