import { hash } from "node:crypto";
import { canonicalJson, Outcome, type Step, StepSchema, StepState, type TaskEnvelope } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { AgentUnderTest } from "../agent-under-test.ts";
import type { Case } from "../case.ts";
import { expectEqual, expectThat, Skipped } from "../failed.ts";
import { makeStep, stepTaskType } from "../tasks.ts";
import { describeEnd, succeeds } from "./answers.ts";

const name = "conformance";

/** Durable steps: on record before they run, and not run again (PIP-11, SAC-12). */
export function stepCases(agent: AgentUnderTest): Case[] {
  const refuseUnknown = () => {
    if (!agent.profile.taskTypes.includes(stepTaskType)) throw new Skipped(`it has no ${stepTaskType}`);
  };
  return [
    {
      id: "step",
      title: "reports a durable step before it runs and when it has ended, with the digest of its arguments",
      async run() {
        refuseUnknown();
        const envelope = makeStep();
        const { result, run } = await succeeds(agent.dispatch(envelope));
        const steps = agent.stepsOf(envelope);
        expectEqual("states", describe(steps), "STARTED, COMPLETED");
        for (const step of steps) {
          expectEqual("name", step.name, name);
          expectEqual("occurrence", step.occurrence, 1);
          expectEqual("arguments_digest", step.argumentsDigest, digestOf(envelope));
        }
        expectEqual("value_json", JSON.parse(steps.at(-1)?.valueJson ?? "null")?.run, run);
        expectEqual("response.data.value", valueIn(result.response?.data), JSON.stringify({ run }));
      },
    },
    {
      id: "step-again",
      title: "uses the value of a step that an earlier attempt completed, and does not make it again",
      async run() {
        refuseUnknown();
        const envelope = withStep({ state: StepState.COMPLETED, valueJson: '{"run":77}' });
        const { result } = await succeeds(agent.dispatch(envelope));
        expectEqual("response.data.value", valueIn(result.response?.data), '{"run":77}');
        expectEqual("states", describe(agent.stepsOf(envelope)), "");
      },
    },
    {
      id: "step-unknown",
      title: "does not repeat a step of which is unknown whether it ended, and leaves it to a person",
      async run() {
        refuseUnknown();
        const envelope = withStep({ state: StepState.STARTED });
        const end = await agent.dispatch(envelope).end();
        const outcome = end.kind === "result" ? end.result.status?.outcome : undefined;
        expectThat(outcome === Outcome.POLICY_BLOCKED, "OUTCOME_POLICY_BLOCKED", describeEnd(end));
        expectEqual("states", describe(agent.stepsOf(envelope)), "");
      },
    },
  ];
}

function withStep(init: { readonly state: StepState; readonly valueJson?: string }): TaskEnvelope {
  const argumentsDigest = digestOf(makeStep());
  const step = create(StepSchema, { name, argumentsDigest, occurrence: 1, ...init });
  return makeStep({ attemptNumber: 2, steps: [step] });
}

function digestOf({ inputs }: TaskEnvelope): string {
  return `sha256:${hash("sha256", canonicalJson(inputs))}`;
}

function describe(steps: readonly Step[]): string {
  return steps.map(({ state }) => StepState[state]).join(", ");
}

function valueIn(data: { readonly value?: unknown } | undefined): string {
  return JSON.stringify(data?.value) ?? "none";
}
