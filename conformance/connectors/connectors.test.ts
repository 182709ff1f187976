import { encodeJson, type TaskEnvelope, TaskEnvelopeSchema, TraceContextSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { attached } from "./attached.ts";
import { command } from "./command.ts";
import { connectorSuite } from "./connector-suite.ts";
import { pushGrpc } from "./push-grpc.ts";
import { pushHttpJson } from "./push-http-json.ts";
import { result, Setting } from "./setting.ts";

const connectors = [attached, pushGrpc, pushHttpJson, command];

for (const connector of connectors) connectorSuite(connector);

it("[TRN-01] the same envelope arrives by every connector", async () => {
  const text = 'Zażółć gęślą jaźń \u{1F9D1}\u200D\u{1F680} \u0000 " \\ \u2028 '.repeat(10_000);
  const arrived: TaskEnvelope[] = [];
  for (const connector of connectors) {
    const setting = await Setting.of(connector, async ({ envelope, say }) => {
      arrived.push(envelope);
      say(result(envelope));
    });
    const contract = { taskId: "task-1", title: "Carry it", acceptanceCriteria: [text] };
    await setting.ends(await setting.submit({ contract }));
  }
  const texts = arrived.map(({ contract }) => contract?.acceptanceCriteria[0]);
  expect(texts).toEqual(connectors.map(() => text));
  const withoutTimes = arrived.map((envelope) =>
    encodeJson(
      TaskEnvelopeSchema,
      create(TaskEnvelopeSchema, { ...envelope, trace: create(TraceContextSchema) }),
    ).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"time"'),
  );
  expect(new Set(withoutTimes).size).toBe(1);
});
