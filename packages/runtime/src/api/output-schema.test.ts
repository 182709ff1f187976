import { PipelineStatus, ResponseStatus, type TaskEnvelope } from "@baton/contract";
import { readTemplates } from "@baton/kernel";
import { stages } from "@baton/kernel/testing";
import { expect, it } from "vitest";
import {
  ada,
  ended,
  planOf,
  reaches,
  refusalOf,
  submit,
  TestAgent,
  task,
  testHub,
} from "../../testing/index.ts";

const outputSchema = {
  type: "object",
  required: ["title", "size"],
  properties: { title: { type: "string" }, size: { type: "integer", minimum: 1 } },
};
const answer = (data: object) => ({ response: { status: ResponseStatus.SUCCESS, data: data as never } });
const violations = ({ reviewFeedback }: TaskEnvelope) =>
  reviewFeedback?.failedChecks.map(({ checkName, evidence }) => [checkName, evidence]);

it("[SAC-11] data that breaks the output schema of a template is refused, and the retry receives every violation", async () => {
  const templates = readTemplates({
    pipeline_templates: {
      version: "1",
      templates: [
        {
          template_id: "typed",
          stages: [{ stage_id: "only", task_type: "code", output_schema: outputSchema }],
        },
      ],
    },
  });
  if (!templates.ok) throw new Error(JSON.stringify(templates.problems));
  const hub = await testHub({ templates: templates.templates });
  const answers = [{}, answer({ title: 1, size: 0 }), answer({ title: "A", size: 2 })];
  const dev = new TestAgent(hub, {
    packId: "dev",
    answer: ({ execution }) => answers[(execution?.attemptNumber ?? 0) - 1],
  });
  await dev.receive("welcome");
  const pipelineId = await submit(hub, { plan: { case: "templateId", value: "typed" } });
  expect((await reaches(hub, pipelineId, ...ended)).status).toBe(PipelineStatus.COMPLETED);
  expect(dev.envelopes.map(({ outputSchema: sent }) => sent)).toEqual([
    outputSchema,
    outputSchema,
    outputSchema,
  ]);
  expect(dev.envelopes.map(violations)).toEqual([
    undefined,
    [
      [
        "output_schema",
        "response.data.title: required: is required\nresponse.data.size: required: is required",
      ],
    ],
    [
      [
        "output_schema",
        "response.data.title: type: must be of type string; found 1\nresponse.data.size: minimum: must be at least 1; found 0",
      ],
    ],
  ]);
  await hub.drain(0);
});

it("[SAC-11] the data schema of a pack holds for every task it takes, beside that of the stage", async () => {
  const hub = await testHub();
  const dataSchema = { properties: { title: { maxLength: 3 } } };
  const answers = [answer({ title: "long", size: 1 }), answer({ title: "ok", size: 1 })];
  const dev = new TestAgent(hub, {
    packId: "dev",
    dataSchema,
    answer: ({ execution }) => answers[(execution?.attemptNumber ?? 0) - 1],
  });
  await dev.receive("welcome");
  const plain = await submit(hub, { idempotencyKey: "plain" });
  expect((await reaches(hub, plain, ...ended)).status).toBe(PipelineStatus.COMPLETED);
  const plan = planOf(stages({ a: { outputSchema } }));
  const both = await submit(hub, { idempotencyKey: "both", plan });
  expect((await reaches(hub, both, ...ended)).status).toBe(PipelineStatus.COMPLETED);
  expect(dev.envelopes[0]?.outputSchema).toEqual(dataSchema);
  const violation = 'response.data.title: maxLength: must have at most 3 characters; found "long"';
  const retried = dev.envelopes.filter(({ execution }) => execution?.attemptNumber === 2);
  expect(retried.map(violations)).toEqual([[["output_schema", violation]], [["output_schema", violation]]]);
  await hub.drain(0);
});

it("[SAC-11] a pattern that could stall the hub is refused with the task", async () => {
  const hub = await testHub();
  const plan = planOf(stages({ a: { outputSchema: { properties: { a: { pattern: "(a)\\1" } } } } }));
  const refused = await refusalOf(hub.submitTask(ada, task({ plan })));
  expect(refused.message).toContain("not a regular expression that RE2 takes");
  await hub.drain(0);
});
