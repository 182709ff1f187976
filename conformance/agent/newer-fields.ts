import { encodeJson, type TaskEnvelope, TaskEnvelopeSchema } from "@baton/contract";
import { clone } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";

/** Far above every number of this contract, and a name that it does not have. */
const fieldNumber = 15_000;
const fieldName = "fieldOfANewerContract";

/** The envelope as a newer hub would write it: with fields that this contract does not know (CON-11). */
export function withNewerFields(envelope: TaskEnvelope): TaskEnvelope {
  const newer = clone(TaskEnvelopeSchema, envelope);
  const text = Buffer.from("of a newer contract");
  const data = Buffer.concat([Buffer.of(text.length), text]);
  for (const message of [newer, newer.contract, newer.execution]) {
    if (message) message.$unknown = [{ no: fieldNumber, wireType: WireType.LengthDelimited, data }];
  }
  return newer;
}

/** The same in JSON, where a field that is not known is a member of any kind. */
export function jsonWithNewerFields(envelope: TaskEnvelope): string {
  const json: Record<string, object> = JSON.parse(encodeJson(TaskEnvelopeSchema, envelope));
  const newer = { [fieldName]: { says: ["of a newer contract"] } };
  const contract = { ...json.contract, ...newer };
  const execution = { ...json.execution, ...newer };
  return JSON.stringify({ ...json, contract, execution, ...newer });
}
