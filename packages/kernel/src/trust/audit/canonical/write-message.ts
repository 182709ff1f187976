/** Writes the fields of a message, last one first. */
import type { Message } from "@bufbuild/protobuf";
import { isDeepFrozen } from "../../../deep-freeze.ts";
import type { BackwardWriter } from "./backward-writer.ts";
import type { Step, Walk } from "./walk.ts";

/** Thrown for an unknown field; names type and number, as in `AuditEntry.26`. */
export class UnknownField extends RangeError {
  override readonly name = "UnknownField";
  readonly field: string;

  constructor(field: string) {
    super(`field ${field} is unknown here, so there is no canonical form`);
    this.field = field;
  }
}

/** Copies fields that are unchanged since the last message; adjacent ones in one piece. */
export function writeMessage(writer: BackwardWriter, { name, read, steps }: Walk, message: Message): void {
  const unknown = message.$unknown?.[0];
  if (unknown) throw new UnknownField(`${name}.${unknown.no}`);
  const values = read(message);
  let from = 0;
  let to = 0;
  for (let at = steps.length - 1; at >= 0; at--) {
    const value = values[at];
    const step = steps[at] as Step;
    if (value === undefined || value === step.zero) continue;
    if (step.lastTo === from && isWritten(writer, step, value)) {
      from = step.lastFrom;
      continue;
    }
    if (from < to) writer.again(from, to);
    if (isWritten(writer, step, value)) {
      from = step.lastFrom;
      to = step.lastTo;
    } else {
      from = to = 0;
      writeStep(writer, step, value);
    }
  }
  if (from < to) writer.again(from, to);
}

function isWritten(writer: BackwardWriter, step: Step, value: unknown): boolean {
  return step.lastValue === value && step.lastEra === writer.era;
}

function writeStep(writer: BackwardWriter, step: Step, value: unknown): void {
  if (step.arms) {
    const { case: name, value: chosen } = value as { case?: string; value?: unknown };
    const arm = name === undefined ? undefined : step.arms.get(name);
    if (arm) writeField(writer, arm, chosen);
  } else {
    const behind = writer.length;
    if (step.repeated) writeItems(writer, step, value as readonly unknown[]);
    else writeField(writer, step, value);
    if (!isImmutable(step, value)) return;
    step.lastValue = value;
    step.lastEra = writer.era;
    step.lastFrom = writer.position;
    step.lastTo = writer.position + writer.length - behind;
  }
}

/** Whether the value is immutable: only then do equal references mean equal bytes. */
function isImmutable({ repeated, walk }: Step, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return (!repeated && walk?.isFlat === true && Object.isFrozen(value)) || isDeepFrozen(value);
}

function writeItems(writer: BackwardWriter, step: Step, items: readonly unknown[]): void {
  for (let at = items.length - 1; at >= 0; at--) writeField(writer, step, items[at]);
}

function writeField(writer: BackwardWriter, step: Step, value: unknown): void {
  const { type } = step;
  if (type === "bool") {
    writer.varint(value ? 1 : 0);
  } else if (type === "int32") {
    writer.int32(value as number);
  } else if (type === "int64") {
    writer.int64(value as bigint);
  } else {
    return writeDelimited(writer, step, value);
  }
  writer.varint(step.tag);
}

function writeDelimited(writer: BackwardWriter, step: Step, value: unknown): void {
  const { type } = step;
  const behind = writer.length;
  if (type === "string") {
    writer.text(value as string, step.redaction);
  } else if (type === "bytes") {
    const bytes = value as Uint8Array;
    if (bytes.length === 0 && step.zero !== undefined) return; // Byte arrays are mutable.
    writer.raw(bytes);
  } else {
    writeMessage(writer, step.walk as Walk, value as Message);
  }
  writer.head(step.tag, writer.length - behind);
}
