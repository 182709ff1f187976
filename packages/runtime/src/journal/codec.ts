/**
 * Encodes decisions as text. Each text names its form, and later versions of Baton read all earlier forms.
 */
import type { Command, FleetRecord, PipelineRecord } from "@baton/kernel";
import type { JsonValue } from "@bufbuild/protobuf";
import { type ContentKeeper, inlineFinder, inlineKeeper } from "./contents.ts";
import { type Finder, fromStored, toStored, UserJson } from "./stored-value.ts";

/**
 * The current form. A change adds an entry to `upgrades` that converts the previous form. In form 1, envelopes and tasks
 * contained their contracts.
 */
export const storedForm = 2;

/** By form: converts the records of one decision to the next form. */
const upgrades: Readonly<Record<number, (content: JsonValue) => JsonValue>> = {
  // Contents stored whole are read as before.
  1: (content) => content,
};

export function writeRecords(records: readonly PipelineRecord[], keeper: ContentKeeper): string {
  return write(toStored(records.map(withUserJson), keeper));
}

/** The inputs of a stage are the only free-form value in a record. */
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

/** Fleet records belong to no pipeline: their text contains everything. */
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

/** The text was written by a newer version of Baton. */
export class NewerForm extends Error {
  override readonly name = "NewerForm";

  constructor(form: number) {
    super(`stored in form ${form}, and this version of Baton reads up to form ${storedForm}`);
  }
}
