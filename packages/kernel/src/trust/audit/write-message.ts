/** Writes the fields of a message, the last one first. What a property holds, its descriptor says. */
import type { Message } from "@bufbuild/protobuf";
import type { BackwardWriter } from "./backward-writer.ts";
import type { Step, Walk } from "./walk.ts";

/** Thrown for a message with a field that is unknown here. It names the type and the number, as in `AuditEntry.26`. */
export class UnknownField extends RangeError {
  override readonly name = "UnknownField";
  readonly field: string;

  constructor(field: string) {
    super(`field ${field} is unknown here, so there is no canonical form`);
    this.field = field;
  }
}

export function writeMessage(writer: BackwardWriter, { name, read, steps }: Walk, message: Message): void {
  const unknown = message.$unknown?.[0];
  if (unknown) throw new UnknownField(`${name}.${unknown.no}`);
  const values = read(message);
  for (let at = steps.length - 1; at >= 0; at--) {
    const value = values[at];
    if (value !== undefined) writeStep(writer, steps[at] as Step, value);
  }
}

function writeStep(writer: BackwardWriter, step: Step, value: unknown): void {
  if (step.arms) {
    const { case: name, value: chosen } = value as { case?: string; value?: unknown };
    const arm = name === undefined ? undefined : step.arms.get(name);
    if (arm) writeField(writer, arm, chosen);
  } else if (step.repeated) {
    const items = value as readonly unknown[];
    for (let at = items.length - 1; at >= 0; at--) writeField(writer, step, items[at]);
  } else {
    writeField(writer, step, value);
  }
}

function writeField(writer: BackwardWriter, step: Step, value: unknown): void {
  const { type, keepsZero } = step;
  if (type === "bool") {
    if (value === false && !keepsZero) return;
    writer.varint(value ? 1 : 0);
  } else if (type === "int32") {
    if (value === 0 && !keepsZero) return;
    writer.int32(value as number);
  } else if (type === "int64") {
    if (value === 0n && !keepsZero) return;
    writer.int64(value as bigint);
  } else {
    return writeDelimited(writer, step, value);
  }
  writer.varint(step.tag);
}

function writeDelimited(writer: BackwardWriter, step: Step, value: unknown): void {
  const { type, keepsZero } = step;
  if (step.lastRound === writer.round && step.lastValue === value) {
    return writer.again(step.lastLength, step.lastBehind);
  }
  const behind = writer.length;
  if (type === "string") {
    if (value === "" && !keepsZero) return;
    writer.text(value as string, step.way);
  } else if (type === "bytes") {
    const bytes = value as Uint8Array;
    if (bytes.length === 0 && !keepsZero) return;
    writer.raw(bytes);
  } else {
    writeMessage(writer, step.walk as Walk, value as Message);
  }
  writer.head(step.tag, writer.length - behind);
  step.lastValue = value;
  step.lastRound = writer.round;
  step.lastBehind = behind;
  step.lastLength = writer.length - behind;
}
