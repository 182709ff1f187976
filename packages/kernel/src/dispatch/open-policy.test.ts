import { AgentManifestSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { testFleet } from "../../testing/fleet.ts";
import { testQuestion } from "../../testing/routing.ts";
import { openRoutingPolicy } from "./open-policy.ts";
import { route } from "./route.ts";

it("[DIS-04] without a policy, a task may go to every pack that says it does such tasks", () => {
  const manifests = [
    { packId: "qa", packVersion: "1.0.0", supportedTaskTypes: ["review"] },
    { packId: "dev", packVersion: "1.0.0", supportedTaskTypes: ["code"] },
    { packId: "dev", packVersion: "2.0.0", supportedTaskTypes: ["code", "review"] },
  ].map((manifest) => create(AgentManifestSchema, manifest));
  const { routes, version } = openRoutingPolicy(manifests);
  expect(version).toBe("open");
  expect([...routes].map(([taskType, { allowedPackIds }]) => [taskType, allowedPackIds])).toEqual([
    ["review", ["dev", "qa"]],
    ["code", ["dev"]],
  ]);
  expect(routes.get("code")?.fallbackPackId).toBeNull();
});

it.each([
  ["cook", "start one that does (known types: code, review); the task goes on by itself then"],
  [
    "reveiw",
    'did you mean "review"? Else start one that does (known types: code, review); the task goes on by itself then',
  ],
])(
  "[DIS-09] without a policy, a type that nobody does asks for an agent and not for a route: %s",
  (taskType, remedy) => {
    const manifest = create(AgentManifestSchema, { packId: "dev", supportedTaskTypes: ["review", "code"] });
    const answer = route({ ...testQuestion, taskType }, openRoutingPolicy([manifest]), testFleet([]));
    expect(answer).toMatchObject({
      kind: "refused",
      refusal: { step: "match", reason: `no agent that is known does "${taskType}"`, remedy },
    });
  },
);

it("[SAC-05] asks for an agent of the pack that a stage names, also where another pack does such tasks", () => {
  const dev = create(AgentManifestSchema, {
    ...{ packId: "dev", packVersion: "1.0.0", supportedTaskTypes: ["code"] },
  });
  const answer = route(
    { ...testQuestion, packId: "qa" },
    openRoutingPolicy([dev]),
    testFleet([{ packId: "dev" }]),
  );
  expect(answer).toMatchObject({
    kind: "refused",
    refusal: { remedy: 'start an agent of pack "qa" that does "code"; the task goes on by itself then' },
  });
});
