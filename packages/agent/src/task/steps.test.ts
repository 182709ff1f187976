import { hash } from "node:crypto";
import { Outcome, ResponseStatus, type Step, StepSchema, StepState, UsageSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { envelope, runAgent } from "../../testing/index.ts";
import { StepOutcomeUnknown } from "../agent-error.ts";
import type { AgentDefinition } from "../api/definition.ts";
import type { Task } from "../api/task.ts";
import { limits } from "../limits.ts";

type Init = Extract<MessageInitShape<typeof StepSchema>, { readonly $typeName?: never }>;

function agent(run: AgentDefinition["run"]): AgentDefinition {
  return { pack: "writer", version: "1.0.0", taskTypes: ["write"], run };
}

const noArguments = `sha256:${hash("sha256", "{}")}`;

/** A step of an earlier attempt. */
function earlier(name: string, init: Init = {}): Step {
  const { COMPLETED } = StepState;
  return create(StepSchema, {
    ...{ name, argumentsDigest: noArguments, occurrence: 1, state: COMPLETED, valueJson: '"earlier"' },
    ...init,
  });
}

const begun = (name: string, init: Init = {}) =>
  earlier(name, { state: StepState.STARTED, valueJson: "", ...init });

const states = (steps: readonly Step[]) =>
  steps.map(({ name, occurrence, state }) => `${name} ${occurrence} ${StepState[state]}`);

describe("task.once", () => {
  it("[SAC-12] [PIP-11] runs the function, and returns when its value is stored", async () => {
    let value: unknown;
    const { result, steps } = await runAgent(
      agent(async (task) => {
        value = await task.once("model", { b: 1, a: [2] }, () => ({ text: "four", at: new Date(0) }), {
          usage: ({ text }) => ({ inputTokens: text.length, costMicroUsd: 7 }),
        });
        return task.success("done");
      }),
      envelope(),
    );
    expect(value).toEqual({ text: "four", at: "1970-01-01T00:00:00.000Z" });
    expect(states(steps)).toEqual(["model 1 STARTED", "model 1 COMPLETED"]);
    expect(steps[1]).toMatchObject({
      argumentsDigest: `sha256:${hash("sha256", '{"a":[2],"b":1}')}`,
      usage: { inputTokens: 4n, costMicroUsd: 7n },
    });
    expect(result?.usage).toMatchObject({ inputTokens: 4n, costMicroUsd: 7n });
  });

  it("[SAC-12] [PIP-11] returns the value of an earlier attempt, without running and without spending", async () => {
    const { result, steps } = await runAgent(
      agent(async (task) => {
        const never = () => {
          throw new Error("it ran again");
        };
        const text = await task.once<string>("model", {}, never, { usage: { inputTokens: 9 } });
        return task.success(text);
      }),
      envelope({
        steps: [
          earlier("model", {
            usage: create(UsageSchema, { inputTokens: 9n }),
          }),
        ],
      }),
    );
    expect(result?.status?.summary).toBe("earlier");
    expect(result?.usage?.inputTokens).toBe(0n);
    expect(steps).toEqual([]);
  });

  it("[PIP-11] numbers uses of the same name and arguments, and other arguments apart", async () => {
    const values: string[] = [];
    const { steps } = await runAgent(
      agent(async (task) => {
        for (const args of [{}, {}, { other: true }])
          values.push(await task.once("fetch", args, () => "new", { idempotent: true }));
        return task.success("done");
      }),
      envelope({ steps: [earlier("fetch")] }),
    );
    expect(values).toEqual(["earlier", "new", "new"]);
    expect(states(steps)).toEqual(["fetch 2 COMPLETED", "fetch 1 COMPLETED"]);
  });

  it("[PIP-11] gives the number of a use that failed to the next one, so that a replay finds its value", async () => {
    const { steps } = await runAgent(
      agent(async (task) => {
        const fails = () => Promise.reject(new Error("no answer"));
        await expect(task.once("fetch", {}, fails)).rejects.toThrow("no answer");
        await task.once("fetch", {}, () => 1);
        return task.success("done");
      }),
      envelope(),
    );
    expect(states(steps)).toEqual([
      "fetch 1 STARTED",
      "fetch 1 FAILED",
      "fetch 1 STARTED",
      "fetch 1 COMPLETED",
    ]);
    expect(steps[1]?.error).toBe("no answer");
  });

  it("[PIP-11] runs a step again that failed, or that is idempotent and began", async () => {
    const { result, steps } = await runAgent(
      agent(async (task) => {
        const values = [
          await task.once("failed", {}, () => "again"),
          await task.once("begun", {}, () => "again", { idempotent: true }),
        ];
        return task.success(values.join(", "));
      }),
      envelope({ steps: [begun("failed", { state: StepState.FAILED }), begun("begun")] }),
    );
    expect(result?.status?.summary).toBe("again, again");
    expect(states(steps)).toEqual(["failed 1 STARTED", "failed 1 COMPLETED", "begun 1 COMPLETED"]);
  });

  it("[PIP-11] reads the steps that the envelope does not carry before the agent runs", async () => {
    const { result } = await runAgent(
      agent(async (task) => task.success(await task.once("second", {}, () => "new"))),
      envelope({ steps: [earlier("first")], stepCount: 2 }),
      { listSteps: async (after) => [earlier("first"), earlier("second")].slice(after) },
    );
    expect(result?.status?.summary).toBe("earlier");
  });

  it("[PIP-11] refuses arguments and values that JSON does not carry, and values that are too large", async () => {
    const codes: unknown[] = [];
    await runAgent(
      agent(async (task) => {
        const tries = [
          () => task.once("a", { size: 1n }, () => 1),
          () => task.once("b", {}, () => 1n),
          () => task.once("c", {}, () => () => 1),
          () => task.once("d", {}, () => "x".repeat(limits.stepValueBytes)),
        ];
        for (const attempt of tries) codes.push(await attempt().catch((error: unknown) => error));
        return task.success("done");
      }),
      envelope(),
    );
    expect(codes).toMatchObject([
      { code: "BATON-SDK-004" },
      { code: "BATON-SDK-004" },
      { code: "BATON-SDK-004" },
      { code: "BATON-SDK-019", fix: expect.stringContaining("path and digest") },
    ]);
  });

  it("[PIP-11] ends with the attempt, and stores nothing afterwards", async () => {
    const cancel = new AbortController();
    const { steps } = await runAgent(
      agent(async (task) => {
        await task.once("long", {}, (signal) => {
          cancel.abort();
          return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        });
        return task.success("done");
      }),
      envelope(),
      { cancel: cancel.signal },
    );
    expect(states(steps)).toEqual(["long 1 STARTED"]);
  });
});

describe("a step of which is unknown whether it ended", () => {
  async function meet(act: (unknown: StepOutcomeUnknown, task: Task) => unknown, answer?: string) {
    const ran: string[] = [];
    const run = agent(async (task) => {
      try {
        await task.once("push", { branch: "main" }, () => ran.push("push"), { critical: true });
      } catch (error) {
        if (error instanceof StepOutcomeUnknown) return act(error, task) as ReturnType<Task["success"]>;
        throw error;
      }
      return task.success("it was not unknown");
    });
    const argumentsDigest = `sha256:${hash("sha256", '{"branch":"main"}')}`;
    const steps = [begun("push", { argumentsDigest })];
    const asked = await runAgent(run, envelope({ steps }));
    if (answer === undefined) return { ...asked, ran };
    const question = asked.result?.response?.message ?? "";
    const clarifications = [{ question: question.slice(0, 80), answer }];
    return { ...(await runAgent(run, envelope({ steps, clarifications }))), ran };
  }

  it("[SAC-12] [PIP-11] is not run: a person can be asked, and the next attempt has the answer", async () => {
    const { result, ran } = await meet((unknown, task) => task.askAbout(unknown));
    expect(ran).toEqual([]);
    expect(result?.response).toMatchObject({
      status: ResponseStatus.CLARIFICATION_NEEDED,
      message: expect.stringMatching(/Did the step "push" \[\w{12}\] take effect\?.*"branch":"main"/),
    });
    const answered = await meet(
      (unknown, task) => (unknown.answer ? task.success(unknown.answer) : task.askAbout(unknown)),
      "it did",
    );
    expect(answered.result?.status?.summary).toBe("it did");
  });

  it("[PIP-11] is settled with its value, or run again, as the agent says", async () => {
    const settled = await meet(async (unknown, task) => {
      expect(await unknown.settle({ sha: "c0ffee" })).toEqual({ sha: "c0ffee" });
      return task.success("settled");
    });
    expect(states(settled.steps)).toEqual(["push 1 COMPLETED"]);
    expect(settled.ran).toEqual([]);
    const again = await meet(async (unknown, task) => {
      await unknown.runAgain();
      return task.success("again");
    });
    expect(states(again.steps)).toEqual(["push 1 STARTED", "push 1 COMPLETED"]);
    expect(again.ran).toEqual(["push"]);
  });

  it("[PIP-11] asks when nobody catches it and it is critical, once; else a person decides", async () => {
    const asked = await meet((unknown) => {
      throw unknown;
    });
    expect(asked.result?.response?.status).toBe(ResponseStatus.CLARIFICATION_NEEDED);
    const answered = await meet((unknown) => {
      throw unknown;
    }, "it did");
    expect(answered.result?.status).toMatchObject({
      outcome: Outcome.POLICY_BLOCKED,
      failureCode: "STEP_OUTCOME_UNKNOWN",
    });
  });

  it("[PIP-11] stays so when its function says that it is unknown", async () => {
    const { steps } = await runAgent(
      agent(async (task) => {
        await task.once("push", {}, () => Promise.reject(new StepOutcomeUnknown("push")));
        return task.success("done");
      }),
      envelope(),
    );
    expect(states(steps)).toEqual(["push 1 STARTED"]);
  });
});
