import {
  GetStepsResponseSchema,
  type Step,
  type StepRecord,
  StepRecordSchema,
  StructuredResponseSchema,
  type Withheld,
} from "@baton/contract";
import { isWithheld, RedactionFailure, type Redactor } from "@baton/kernel";
import { create, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { stepOf } from "../../agents/steps/step-rows.ts";
import { notMasked, tooLargeToShow } from "../../events/withheld.ts";
import { recordsOf } from "../../journal/read-records.ts";
import { available } from "../../ports/available.ts";
import type { StepRow } from "../../ports/store.ts";
import { stageOf } from "../../ports/stored-command.ts";
import { pageLimits } from "../../query/page.ts";
import { attemptHistories } from "../../views/attempt-history.ts";
import { find, type HubContext } from "../context.ts";
import type { Hub } from "../hub.ts";
import { numberOf, readToken, writeToken } from "./attempt-token.ts";

/** Steps per read. */
const readSize = 200;

/** Larger values are withheld from people. */
const longestValue = 256 * 1024;

interface Page {
  readonly size: number;
  readonly withValues: boolean;
}

/** The steps of agents, for people: every attempt has its own, also when later attempts continued with them (PIP-11). */
export function stepInspection(context: HubContext): Pick<Hub, "getSteps"> {
  return {
    async getSteps(caller, { pipelineId, stageId, attemptNumber, pageSize, pageToken, withValues }) {
      const state = await find(context, caller, pipelineId);
      const { attempts } = attemptHistories(await recordsOf(context, state.id));
      const selected = attempts
        .map(({ dispatch }) => dispatch.dispatchId)
        .filter((dispatchId) => stageId === "" || stageOf(dispatchId) === stageId)
        .filter((dispatchId) => attemptNumber === 0 || numberOf(dispatchId) === attemptNumber);
      const [first = "", after = 0] = pageToken === "" ? [] : readToken(pageToken, selected);
      const size = Math.min(pageSize || pageLimits.default, pageLimits.max);
      const left = selected.slice(Math.max(0, selected.indexOf(first)));
      return create(
        GetStepsResponseSchema,
        await readPage(context, left, after, { size, withValues: withValues && !isWithheld(state) }),
      );
    },
  };
}

async function readPage(
  { store, filter }: HubContext,
  attempts: readonly string[],
  after: number,
  { size, withValues }: Page,
) {
  const steps: StepRecord[] = [];
  const redactor = filter.at("answer");
  let remaining: number = pageLimits.bytes;
  let last = after;
  for (const dispatchId of attempts) {
    for (let isMore = true; isMore; ) {
      const rows = await available(store.steps(dispatchId, last, readSize, withValues ? longestValue : 0));
      isMore = rows.length > 0;
      for (const row of rows) {
        const record = visibleStep(row, withValues, redactor);
        remaining -= toBinary(StepRecordSchema, record).length;
        const isFull = steps.length === size || (steps.length > 0 && remaining < 0);
        if (isFull) return { steps, nextPageToken: writeToken(dispatchId, last) };
        steps.push(record);
        last = row.ordinal;
      }
    }
    last = 0;
  }
  return { steps, nextPageToken: "" };
}

function visibleStep(row: StepRow, withValues: boolean, redactor: Redactor): StepRecord {
  const { dispatchId, atMs, valueBytes } = row;
  const record = (step: Step, withheld?: Withheld) =>
    create(StepRecordSchema, {
      ...{ dispatchId, stageId: stageOf(dispatchId), attemptNumber: numberOf(dispatchId) },
      ...{ recordedAt: timestampFromMs(atMs), step, valueBytes, ...(withheld && { withheld }) },
    });
  const bare = { ...stepOf(row), valueJson: "" };
  if (!withValues || valueBytes === 0) return record(bare);
  if (valueBytes > longestValue) return record(bare, tooLargeToShow(valueBytes));
  try {
    return record({ ...bare, valueJson: withoutSecrets(stepOf(row).valueJson, redactor) });
  } catch (error) {
    if (!(error instanceof RedactionFailure)) throw error;
    return record(bare, notMasked(error));
  }
}

/** As structured data, in which secrets are recognised by the names of their fields too, and are not escaped. */
function withoutSecrets(json: string, redactor: Redactor): string {
  const value: JsonValue = JSON.parse(json);
  const { message } = redactor.redactMessage(
    StructuredResponseSchema,
    create(StructuredResponseSchema, { data: { value } }),
  );
  return JSON.stringify(message.data?.value ?? null);
}
