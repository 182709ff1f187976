import {
  GetTurnsResponseSchema,
  type TurnEnvelope,
  type TurnGapSchema,
  type TurnRecord,
  TurnRecordSchema,
  type Withheld,
} from "@baton/contract";
import { RedactionFailure, type Redactor } from "@baton/kernel";
import { readTurn, turnToContract } from "@baton/protocols/saop";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { stageOf } from "../driver/order.ts";
import { bytesTooLarge, shownLimits } from "../events/shown-size.ts";
import { notMasked, tooLargeToShow } from "../events/withheld.ts";
import type { TurnRow } from "../ports/store.ts";
import { pageLimits } from "../query/page.ts";
import { badQuery } from "../query/problem.ts";
import { tellAttempts } from "../views/tell-attempts.ts";
import { available, find, type HubContext } from "./context.ts";
import type { Hub } from "./hub.ts";
import { recordsOf } from "./read-records.ts";

/** What a gap takes besides its dispatch. */
const gapBytes = 32;

/** Of what is told of a turn that is too large. */
const longestName = 256;

/** Turns that are read from the store at once: each may be long. */
const readAtOnce = 32;

/** A turn that was told: of which attempt, and its index. */
interface Place {
  readonly dispatchId: string;
  readonly turnIndex: number;
}

/** An attempt, and the last turn that is on record of it: the turns themselves are not kept for ever. */
interface Attempt {
  readonly dispatchId: string;
  readonly lastTurn: number;
}

/** What agents said turn by turn (TUR-02). */
export function turnCalls(context: HubContext): Pick<Hub, "getTurns"> {
  return {
    async getTurns(caller, { pipelineId, stageId, attemptNumber, pageSize, pageToken }) {
      const { id } = await find(context, caller, pipelineId);
      const { attempts } = tellAttempts(await recordsOf(context, id));
      const asked = attempts
        .map(({ dispatch, lastTurn }) => ({ dispatchId: dispatch.dispatchId, lastTurn }))
        .filter(({ dispatchId }) => stageId === "" || stageOf(dispatchId) === stageId)
        .filter(({ dispatchId }) => attemptNumber === 0 || numberOf(dispatchId) === attemptNumber);
      const from = pageToken === "" ? undefined : readToken(pageToken, asked);
      const size = Math.min(pageSize || pageLimits.usual, pageLimits.most);
      return create(GetTurnsResponseSchema, await readPage(context, asked, from, size));
    },
  };
}

async function readPage(
  { store, filter }: HubContext,
  attempts: readonly Attempt[],
  from: Place | undefined,
  size: number,
) {
  const turns: TurnRecord[] = [];
  const gaps: MessageInitShape<typeof TurnGapSchema>[] = [];
  const redactor = filter.at("answer");
  // One turn may be larger, and is alone then.
  let room: number = pageLimits.bytes;
  const first = attempts.findIndex(({ dispatchId }) => dispatchId === from?.dispatchId);
  for (const { dispatchId, lastTurn } of attempts.slice(Math.max(0, first))) {
    let last = from?.dispatchId === dispatchId ? from.turnIndex : -1;
    for (let isMore = true; isMore; ) {
      const rows = await available(store.turns(dispatchId, last, readAtOnce));
      isMore = rows.length === readAtOnce;
      for (const row of rows) {
        const { turnIndex } = row;
        const next = { dispatchId, turnIndex: last };
        if (turns.length === size) return { turns, gaps, nextPageToken: writeToken(next) };
        const record = showTurn(row, redactor);
        const bytes = toBinary(TurnRecordSchema, record).length;
        if (turns.length > 0 && bytes > room) return { turns, gaps, nextPageToken: writeToken(next) };
        if (turnIndex > last + 1) gaps.push({ dispatchId, firstIndex: last + 1, lastIndex: turnIndex - 1 });
        turns.push(record);
        room -= bytes;
        last = turnIndex;
      }
    }
    if (lastTurn <= last) continue;
    // Attempts of which nothing is left may be many.
    room -= gapBytes + dispatchId.length;
    const isFull = room < 0 && turns.length + gaps.length > 0;
    if (isFull) return { turns, gaps, nextPageToken: writeToken({ dispatchId, turnIndex: last }) };
    gaps.push({ dispatchId, firstIndex: last + 1, lastIndex: lastTurn });
  }
  return { turns, gaps, nextPageToken: "" };
}

/** Without secrets, since it may be larger then, and the page with the token of the next one has to fit in any case. */
function showTurn(row: TurnRow, redactor: Redactor): TurnRecord {
  const record = recordOf(row);
  try {
    const { message } = redactor.redactMessage(TurnRecordSchema, record);
    const bytes = bytesTooLarge(TurnRecordSchema, message);
    return bytes === undefined ? message : cut(message, shownLimits.turnCharacters, tooLargeToShow(bytes));
  } catch (error) {
    if (!(error instanceof RedactionFailure)) throw error;
    return cut(record, 0, notMasked(error));
  }
}

/** What was said up to a length. Names are no content, and short. */
function cut(record: TurnRecord, most: number, withheld: Withheld): TurnRecord {
  const { turn } = record;
  return { ...record, ...(turn && { turn: beginningOf(turn, most) }), withheld };
}

function beginningOf(turn: TurnEnvelope, most: number): TurnEnvelope {
  const { content, metadata } = turn;
  const short = (text: string, length: number) => text.slice(0, length).toWellFormed();
  return {
    ...turn,
    ...(content && {
      content: {
        ...content,
        thought: short(content.thought, most),
        action: short(content.action, most),
        observation: short(content.observation, most),
      },
    }),
    ...(metadata && { metadata: { ...metadata, taskId: short(metadata.taskId, longestName) } }),
  };
}

function recordOf({ dispatchId, envelope, eventId, packId, atMs }: TurnRow): TurnRecord {
  return create(TurnRecordSchema, {
    ...{ dispatchId, stageId: stageOf(dispatchId), attemptNumber: numberOf(dispatchId), eventId },
    recordedAt: timestampFromMs(atMs),
    turn: turnToContract(readTurn(JSON.parse(envelope)), packId),
  });
}

/** The number of an attempt ends its id. */
function numberOf(dispatchId: string): number {
  return Number(dispatchId.slice(dispatchId.lastIndexOf("/") + 1)) || 0;
}

/** The turn that the next page begins after. */
function writeToken({ dispatchId, turnIndex }: Place): string {
  return Buffer.from(JSON.stringify([dispatchId, turnIndex])).toString("base64url");
}

function readToken(token: string, attempts: readonly Attempt[]): Place {
  const [dispatchId, turnIndex] = parse(token);
  const isPlace = typeof dispatchId === "string" && Number.isSafeInteger(turnIndex);
  if (isPlace && attempts.some((attempt) => attempt.dispatchId === dispatchId))
    return { dispatchId, turnIndex: Number(turnIndex) };
  throw badQuery("page_token", "is not one of this list; begin again without it");
}

function parse(token: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
