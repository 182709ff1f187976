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
import { bytesTooLarge, sizeLimits } from "../../events/event-size.ts";
import { notMasked, tooLargeToShow } from "../../events/withheld.ts";
import { recordsOf } from "../../journal/read-records.ts";
import { available } from "../../ports/available.ts";
import type { TurnRow } from "../../ports/store.ts";
import { stageOf } from "../../ports/stored-command.ts";
import { pageLimits } from "../../query/page.ts";
import { attemptHistories } from "../../views/attempt-history.ts";
import { find, type HubContext } from "../context.ts";
import type { Hub } from "../hub.ts";
import { numberOf, readToken, writeToken } from "./attempt-token.ts";

/** Size of a gap without its dispatch id. */
const gapBytes = 32;

/** Turns per read; each may be long. */
const readSize = 32;

/** Position of a turn: its attempt and index. */
type TurnPosition = readonly [dispatchId: string, turnIndex: number];

/** An attempt and its last recorded turn; the turns themselves expire. */
interface Attempt {
  readonly dispatchId: string;
  readonly lastTurn: number;
}

/** The turns of agents (TUR-02). */
export function turnCalls(context: HubContext): Pick<Hub, "getTurns"> {
  return {
    async getTurns(caller, { pipelineId, stageId, attemptNumber, pageSize, pageToken }) {
      const { id } = await find(context, caller, pipelineId);
      const { attempts } = attemptHistories(await recordsOf(context, id));
      const selected = attempts
        .map(({ dispatch, lastTurn }) => ({ dispatchId: dispatch.dispatchId, lastTurn }))
        .filter(({ dispatchId }) => stageId === "" || stageOf(dispatchId) === stageId)
        .filter(({ dispatchId }) => attemptNumber === 0 || numberOf(dispatchId) === attemptNumber);
      const ids = selected.map(({ dispatchId }) => dispatchId);
      const from = pageToken === "" ? undefined : readToken(pageToken, ids);
      const size = Math.min(pageSize || pageLimits.default, pageLimits.max);
      return create(GetTurnsResponseSchema, await readPage(context, selected, from, size));
    },
  };
}

async function readPage(
  { store, filter }: HubContext,
  attempts: readonly Attempt[],
  from: TurnPosition | undefined,
  size: number,
) {
  const turns: TurnRecord[] = [];
  const gaps: MessageInitShape<typeof TurnGapSchema>[] = [];
  const redactor = filter.at("answer");
  // A single turn may exceed it and is returned alone.
  let remaining: number = pageLimits.bytes;
  const first = attempts.findIndex(({ dispatchId }) => dispatchId === from?.[0]);
  for (const { dispatchId, lastTurn } of attempts.slice(Math.max(0, first))) {
    let last = from?.[0] === dispatchId ? from[1] : -1;
    for (let isMore = true; isMore; ) {
      const rows = await available(store.turns(dispatchId, last, readSize));
      isMore = rows.length === readSize;
      for (const row of rows) {
        const { turnIndex } = row;
        const next = writeToken(dispatchId, last);
        if (turns.length === size) return { turns, gaps, nextPageToken: next };
        const record = visibleTurn(row, redactor);
        const bytes = toBinary(TurnRecordSchema, record).length;
        if (turns.length > 0 && bytes > remaining) return { turns, gaps, nextPageToken: next };
        if (turnIndex > last + 1) gaps.push({ dispatchId, firstIndex: last + 1, lastIndex: turnIndex - 1 });
        turns.push(record);
        remaining -= bytes;
        last = turnIndex;
      }
    }
    if (lastTurn <= last) continue;
    // Attempts without retained turns may be many.
    remaining -= gapBytes + dispatchId.length;
    const isFull = remaining < 0 && turns.length + gaps.length > 0;
    if (isFull) return { turns, gaps, nextPageToken: writeToken(dispatchId, last) };
    gaps.push({ dispatchId, firstIndex: last + 1, lastIndex: lastTurn });
  }
  return { turns, gaps, nextPageToken: "" };
}

/** Redacted here, because that may lengthen it, and the page must fit with its token. */
function visibleTurn(row: TurnRow, redactor: Redactor): TurnRecord {
  const record = recordOf(row);
  try {
    const { message } = redactor.redactMessage(TurnRecordSchema, record);
    const bytes = bytesTooLarge(TurnRecordSchema, message);
    return bytes === undefined ? message : cut(message, sizeLimits.turnCharacters, tooLargeToShow(bytes));
  } catch (error) {
    if (!(error instanceof RedactionFailure)) throw error;
    return cut(record, 0, notMasked(error));
  }
}

/** Truncates the texts of a turn. Names are short and stay. */
function cut(record: TurnRecord, maxCharacters: number, withheld: Withheld): TurnRecord {
  const { turn } = record;
  return { ...record, ...(turn && { turn: beginningOf(turn, maxCharacters) }), withheld };
}

function beginningOf(turn: TurnEnvelope, maxCharacters: number): TurnEnvelope {
  const { content } = turn;
  const short = (text: string) => text.slice(0, maxCharacters).toWellFormed();
  return {
    ...turn,
    ...(content && {
      content: {
        ...content,
        thought: short(content.thought),
        action: short(content.action),
        observation: short(content.observation),
      },
    }),
  };
}

function recordOf({ dispatchId, envelope, eventId, packId, atMs }: TurnRow): TurnRecord {
  return create(TurnRecordSchema, {
    ...{ dispatchId, stageId: stageOf(dispatchId), attemptNumber: numberOf(dispatchId), eventId },
    recordedAt: timestampFromMs(atMs),
    turn: turnToContract(readTurn(JSON.parse(envelope)), packId),
  });
}
