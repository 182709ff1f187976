/**
 * What is stored of decisions, as text. Each text says in which form it is written; a later form reads the earlier ones,
 * so that a store outlives the version of Baton that began it.
 */
import type { Command, FleetRecord, PipelineRecord } from "@baton/kernel";
import type { JsonValue } from "@bufbuild/protobuf";
import { type ContentKeeper, inlineFinder, inlineKeeper } from "./contents.ts";
import { type Finder, fromStored, toStored, UserJson } from "./stored-value.ts";

/**
 * The form written now. When it changes, `upgrades` gets an entry that turns the one before into it. In the first, envelopes and
 * tasks had their contracts in them.
 */
export const storedForm = 2;

/** From form to the next: what is in the text of one decision. */
const upgrades: Readonly<Record<number, (content: JsonValue) => JsonValue>> = {
  // What is kept whole is read as before.
  1: (content) => content,
};

export function writeRecords(records: readonly PipelineRecord[], keeper: ContentKeeper): string {
  return write(toStored(records.map(withUserJson), keeper));
}

/** The inputs of a stage are the one thing in a record that users and agents write as they like. */
function withUserJson(record: PipelineRecord): object {
  if (record.type === "restored") return { ...record, stages: record.stages.map(inputsAsUserJson) };
  return inputsAsUserJson(record);
}

function inputsAsUserJson(holder: object): object {
  if (!("inputs" in holder) || holder.inputs === undefined) return holder;
  return { ...holder, inputs: new UserJson(holder.inputs as JsonValue) };
}

export function readRecords(text: string, finder: Finder): readonly PipelineRecord[] {
  return fromStored(read(text), finder) as readonly PipelineRecord[];
}

export function writeCommand(command: Command, keeper: ContentKeeper): string {
  return write(toStored(command, keeper));
}

export function readCommand(text: string, finder: Finder): Command {
  return fromStored(read(text), finder) as Command;
}

/** The fleet's records belong to no pipeline: everything stands in their text. */
export function writeFleetRecord(record: FleetRecord): string {
  return write(toStored(record, inlineKeeper));
}

export function readFleetRecord(text: string): FleetRecord {
  return fromStored(read(text), inlineFinder) as FleetRecord;
}

function write(content: unknown): string {
  return JSON.stringify({ form: storedForm, content });
}

function read(text: string): JsonValue {
  const { form, content } = JSON.parse(text) as { form: number; content: JsonValue };
  if (form > storedForm) throw new NewerForm(form);
  let upgraded = content;
  for (let from = form; from < storedForm; from++) upgraded = upgrades[from]?.(upgraded) ?? upgraded;
  return upgraded;
}

/** A later version of Baton has written this. */
export class NewerForm extends Error {
  override readonly name = "NewerForm";

  constructor(form: number) {
    super(`stored in form ${form}, and this version of Baton reads up to form ${storedForm}`);
  }
}
