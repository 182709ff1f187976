import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { baton, run, startHub } from "../testing/run.ts";

const root = resolve(import.meta.dirname, "../..");

it("[SAC-05] [SAC-06] the flow of the specification runs as it is written", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-example-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(import.meta.dirname, folder, { recursive: true });
  const checked = await baton(folder, "check", "--strict").ended;
  expect(checked, checked.stdout).toMatchObject({ code: 0 });
  const url = await startHub(folder);
  const agents = ["researcher", "email-validator"].map((name) =>
    run(root, [join(import.meta.dirname, `${name}.ts`)], { BATON_HUB: url }),
  );
  for (const agent of agents) await agent.prints("is attached");
  const [, validator] = agents;
  const submitted = await baton(folder, "run", "--file", "task.yaml", "--hub", url).ended;
  expect(submitted, submitted.stderr).toMatchObject({ code: 0 });
  const id = submitted.stdout.trim();
  // What the agents pass on is as the specification has it; what the hub prints is masked.
  await validator?.prints("validates john.doe@acme.com, jdoe@acme.com");
  await validator?.prints("finds jdoe@acme.com");
  const masked = "[redacted:email]";
  await baton(folder, "runs", "watch", id, "--hub", url).ended;
  const displayed = await baton(folder, "runs", "show", id, "--output", "json", "--hub", url).ended;
  const { stages } = JSON.parse(displayed.stdout).pipeline;
  expect(stages.map(({ result }: { result: { response: unknown } }) => result.response)).toEqual([
    {
      thought: "I found the CEO is John Doe, but no direct email. I will guess standard formats.",
      status: "RESPONSE_STATUS_SUCCESS",
      data: {
        ceo_name: "John Doe",
        domain: "acme.com",
        guesses: [masked, masked],
      },
      message: "I identified the CEO as John Doe.",
    },
    {
      thought: `Pinged servers. ${masked} is valid.`,
      status: "RESPONSE_STATUS_SUCCESS",
      data: { valid_email: masked },
      message: `The valid email is ${masked}`,
    },
  ]);
  expect(stages[1].edges).toMatchObject([
    {
      ...{ fromStageId: "researcher", toStageId: "validator", taken: true },
      values: {
        response: { status: "success", data: { guesses: [masked, masked] } },
      },
    },
    { fromStageId: "validator", toStageId: "researcher", kind: "EDGE_KIND_BACK", maxTimes: 2 },
  ]);
  const why = await baton(folder, "why", `${id}/validator`, "--hub", url).ended;
  expect(why.stdout.replaceAll(/\s+/g, " ")).toContain(
    'edge from "researcher": taken; condition response.status == "success" && size(response.data.guesses) > 0',
  );
});
