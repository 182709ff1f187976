import { ContractSchema, SubmitTaskRequestSchema } from "@baton/contract";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { cutField } from "./cut-field.ts";

const contract = create(ContractSchema, { taskId: "t", title: "Do it", acceptanceCriteria: ["done"] });
const { number } = SubmitTaskRequestSchema.field.contract;

it("gives the message without the field, and the field as it was, wherever it stands", () => {
  for (const around of [
    {},
    { idempotencyKey: "key" },
    { idempotencyKey: "key", inputs: { a: 1, b: ["x"] } },
  ]) {
    const cut = cutField(
      toBinary(SubmitTaskRequestSchema, create(SubmitTaskRequestSchema, { ...around, contract })),
      number,
    );
    expect(fromBinary(SubmitTaskRequestSchema, cut?.rest ?? new Uint8Array())).toEqual(
      create(SubmitTaskRequestSchema, around),
    );
    expect(fromBinary(ContractSchema, cut?.field ?? new Uint8Array())).toEqual(contract);
  }
});

it("cuts nothing that is not there, or is there twice: protobuf would make one of both", () => {
  const bytes = toBinary(SubmitTaskRequestSchema, create(SubmitTaskRequestSchema, { contract }));
  expect(cutField(bytes, number)?.rest).toHaveLength(0);
  expect(cutField(bytes, number + 1)).toBeUndefined();
  expect(cutField(Buffer.concat([bytes, bytes]), number)).toBeUndefined();
  expect(cutField(new Uint8Array(), number)).toBeUndefined();
});
