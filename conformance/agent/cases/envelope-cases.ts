import { isDeepStrictEqual } from "node:util";
import { ContextInSchema, Outcome, schemaVersion } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { AgentUnderTest } from "../agent-under-test.ts";
import type { Case } from "../case.ts";
import { expectThat, Skipped } from "../failed.ts";
import { limits } from "../limits.ts";
import { echo, toolTaskType, useTool } from "../tasks.ts";
import { describeEnd, succeeds } from "./answers.ts";

const tool = "conformance-tool";

/** Envelopes that are newer, larger or stricter than usual. */
export function envelopeCases(agent: AgentUnderTest): Case[] {
  return [
    {
      id: "unknown-fields",
      title: "passes over fields that it does not know",
      async run() {
        await succeeds(agent.dispatch(echo(), { hasNewerFields: true }));
      },
    },
    {
      id: "newer-minor",
      title: "takes an envelope of a newer minor schema version",
      async run() {
        const envelope = echo();
        const [major] = schemaVersion.split(".");
        if (envelope.protocolVersion) envelope.protocolVersion.schemaVersion = `${major}.999.0`;
        await succeeds(agent.dispatch(envelope));
      },
    },
    {
      id: "large",
      title: "takes an envelope with 1 MiB of context, and gives large inputs back",
      async run() {
        const inputs = { text: "x".repeat(limits.inputLength) };
        const envelope = echo({ inputs });
        const content = "context ".repeat(limits.snippetLength / 8);
        envelope.contextIn = create(ContextInSchema, {
          criticalSnippets: Array.from({ length: limits.snippets }, (_, index) => ({
            path: `src/file-${index}.ts`,
            content,
          })),
        });
        const echoed = await succeeds(agent.dispatch(envelope));
        expectThat(isDeepStrictEqual(echoed.inputs, inputs), "the inputs whole", "others");
      },
    },
    {
      id: "safety",
      title: "uses no tool that the safety context does not allow",
      async run() {
        if (!agent.profile.taskTypes.includes(toolTaskType)) throw new Skipped(`it has no ${toolTaskType}`);
        await succeeds(agent.dispatch(useTool(tool, { toolAllowlist: [tool] })));
        for (const safety of [
          { toolAllowlist: ["another-tool"] },
          { toolDenylist: [tool] },
          { toolAllowlist: [tool], toolDenylist: [tool] },
        ]) {
          const end = await agent.dispatch(useTool(tool, safety)).end();
          const outcome = end.kind === "result" ? end.result.status?.outcome : undefined;
          const expected = `OUTCOME_POLICY_BLOCKED under ${JSON.stringify(safety)}`;
          expectThat(outcome === Outcome.POLICY_BLOCKED, expected, describeEnd(end));
        }
      },
    },
  ];
}
