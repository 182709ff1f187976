/** The rules of the port for batches and queries. Violations are refused before anything is stored. */
import type {
  Batch,
  CheckpointRow,
  Query,
  SpendQuery,
  SpendRow,
  StoredNode,
  Transition,
} from "../ports/store.ts";
import { StoreUnavailable } from "../ports/store-error.ts";
import { type Fields, isOfKind, spendColumns } from "./fields.ts";
import { storeLimits } from "./limits.ts";

/** The hub broke a rule of the port. */
export function misuse(what: string, cause?: unknown): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-008", what, {
    fix: "this is a mistake in Baton: nothing was stored; please report it with this message",
    mayPass: false,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** 32 bytes in base64url; the last character carries four bits. */
const digestPattern = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

export function validateBatch(batch: Batch): void {
  const { id, ...lists } = batch;
  const { transitions, fleet, audit, events } = lists;
  if (!Number.isSafeInteger(id.sequence) || id.sequence < 1) {
    throw misuse(`batch number ${id.sequence} of writer "${id.writer}" is not a positive integer`);
  }
  if (id.writer.length > storeLimits.charactersPerName) throw misuse("the name of the writer is too long");
  for (const rows of Object.values<readonly unknown[]>(lists)) {
    if (rows.length > storeLimits.rowsPerBatch) {
      throw misuse(`a batch of ${rows.length} rows of a kind is more than ${storeLimits.rowsPerBatch}`);
    }
  }
  const moved = new Set<string>();
  for (const transition of transitions) {
    if (moved.has(transition.pipelineId)) {
      throw misuse(`the batch moves pipeline "${transition.pipelineId}" twice`);
    }
    moved.add(transition.pipelineId);
    validateTransition(transition);
  }
  for (const { envelope, dispatchId } of batch.turns)
    if (isLong(envelope)) throw tooLong(`a turn of "${dispatchId}"`, envelope);
  for (const row of batch.spend) validateSpend(row);
  for (const { info, value, dispatchId } of batch.steps) {
    if (isLong(info) || isLong(value))
      throw tooLong(`a step of "${dispatchId}"`, isLong(info) ? info : value);
  }
  for (const { topic, key, content } of batch.knowledge) {
    if (Math.max(topic.length, key.length) > storeLimits.charactersPerName)
      throw misuse("a row of knowledge has a name that is too long");
    if (isLong(content)) throw tooLong(`knowledge of the topic "${topic}"`, content);
  }
  for (const { text } of fleet) if (isLong(text)) throw tooLong("a text of the fleet", text);
  for (const { entry, sequence } of audit) if (isLong(entry)) throw tooLong(`audit entry ${sequence}`, entry);
  for (const { events: bytes, firstSequence, lastSequence } of events) {
    if (isLong(bytes)) throw tooLong(`events from ${firstSequence}`, bytes);
    if (lastSequence < firstSequence) {
      throw misuse(`events from ${firstSequence} cannot end with ${lastSequence}`);
    }
  }
}

function validateSpend({ costUnknown: _, ...row }: SpendRow): void {
  for (const value of Object.values<string | number>(row)) {
    if (typeof value === "string" && value.length > storeLimits.charactersPerName)
      throw misuse("a row of spending has a name that is too long");
    if (typeof value === "number" && !(Number.isSafeInteger(value) && value >= 0))
      throw misuse(`a row of spending has the amount ${value}`);
  }
}

export function validateSpendQuery({ groupBy, limit, ...days }: SpendQuery): void {
  const isWhole = [days.fromDay, days.toDay, limit].every(Number.isSafeInteger);
  if (!isWhole || limit < 0 || limit > storeLimits.rowsPerPage)
    throw misuse(`days ${days.fromDay} to ${days.toDay} and ${limit} rows are not what spending is read by`);
  if (groupBy.some((group) => !Object.hasOwn(spendColumns, group)))
    throw misuse("spending has no such group");
}

export function validateCheckpoint(row: CheckpointRow, nodes: readonly StoredNode[]): void {
  if (nodes.length > storeLimits.rowsPerBatch) {
    throw misuse(`${nodes.length} nodes of a tree are more than ${storeLimits.rowsPerBatch}`);
  }
  const isWhole = row.publicKey.length === 32 && nodes.every(({ hash }) => hash.length === 32);
  if (!isWhole) throw misuse(`the checkpoint at ${row.sequence} has a key or a node that is not of 32 bytes`);
  if (isLong(row.checkpoint)) throw tooLong(`the checkpoint at ${row.sequence}`, row.checkpoint);
}

/** On the hot path: messages are built only for errors. */
function validateTransition(transition: Transition): void {
  const { pipelineId, row, records, contents, commands, timersSet, escalations } = transition;
  refuseForeign(pipelineId, row);
  for (const command of commands) refuseForeign(pipelineId, command);
  for (const timer of timersSet) refuseForeign(pipelineId, timer);
  for (const escalation of escalations) refuseForeign(pipelineId, escalation);
  if (!Number.isSafeInteger(records.count) || records.count < 1) {
    throw misuse(`${moving(pipelineId)} says it has ${records.count} records`);
  }
  const { tenantId, status, templateId, pipelineName, taskId, labels, agents } = row;
  const longest = Math.max(pipelineId.length, tenantId.length, status.length, templateId.length);
  const listed = Math.max(pipelineName.length, taskId.length, labels.length, agents.length);
  if (Math.max(longest, listed) > storeLimits.charactersPerName) {
    throw misuse(`${moving(pipelineId)} has a name that is too long`);
  }
  if (isLong(records.text)) throw tooLong(moving(pipelineId), records.text);
  for (const { digest, bytes } of contents) {
    if (!digestPattern.test(digest)) throw misuse(`${moving(pipelineId)} has the digest "${digest}"`);
    if (isLong(bytes)) throw tooLong(`a content of ${moving(pipelineId)}`, bytes);
  }
  for (const { text } of commands)
    if (isLong(text)) throw tooLong(`a command of ${moving(pipelineId)}`, text);
}

function refuseForeign(pipelineId: string, other: { readonly pipelineId: string }): void {
  if (other.pipelineId !== pipelineId)
    throw misuse(`${moving(pipelineId)} carries a row of "${other.pipelineId}"`);
}

function moving(pipelineId: string): string {
  return `the transition of pipeline "${pipelineId}"`;
}

interface Sized {
  readonly length: number;
}

function isLong({ length }: Sized): boolean {
  return length > storeLimits.bytesPerValue;
}

function tooLong(what: string, { length }: Sized): StoreUnavailable {
  return misuse(`${what} has a length of ${length}, more than ${storeLimits.bytesPerValue}`);
}

export function validateQuery<Field extends string>(query: Query<Field>, fields: Fields<Field>): void {
  const { where, orderBy, after, limit } = query;
  if (!Number.isSafeInteger(limit) || limit < 0 || limit > storeLimits.rowsPerPage) {
    throw misuse(`a page of ${limit} rows is not between 0 and ${storeLimits.rowsPerPage}`);
  }
  if (where.length > storeLimits.comparisons || orderBy.length > storeLimits.orderFields) {
    throw misuse("the query has too many comparisons or too many fields in its order");
  }
  const last = orderBy.at(-1);
  if (last === undefined || !fields.unique.includes(last.field)) {
    throw misuse(`an order has to end with one of ${fields.unique.join(", ")}`);
  }
  if (after !== undefined && after.length !== orderBy.length) {
    throw misuse(`the page begins after ${after.length} values, and the order has ${orderBy.length} fields`);
  }
  const compared = [
    ...where,
    ...orderBy.flatMap(({ field }, index) => {
      const value = after?.[index];
      return value === undefined ? [] : [{ field, value }];
    }),
  ];
  const looking = where.find(({ operator, value }) => operator === "~" && typeof value !== "string");
  if (looking) throw misuse(`field "${looking.field}" is no text to look into`);
  for (const { field, value } of compared) {
    if (!Object.hasOwn(fields.kinds, field)) throw misuse(`there is no field "${field}"`);
    if (!isOfKind(fields.kinds[field], value)) {
      throw misuse(`field "${field}" is not compared with a ${typeof value}`);
    }
  }
}
