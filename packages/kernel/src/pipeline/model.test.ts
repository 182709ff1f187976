import { Outcome } from "@baton/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stages } from "../../testing/pipelines.ts";
import { ada, Run } from "../../testing/run.ts";

/**
 * A whole pipeline beside a model of it that fits on a page: a diamond in which every stage has two attempts and a
 * stage that fails pauses the pipeline. The model knows nothing of records, attempts in flight or timers.
 */
interface Model {
  life: "RUNNING" | "PAUSED" | "COMPLETED" | "ABORTED";
  readonly stages: Record<
    Name,
    { status: "PENDING" | "READY" | "SENT" | "BACKOFF" | "COMPLETED" | "FAILED"; tries: number }
  >;
  retries: number;
}

const names = ["top", "left", "right", "bottom"] as const;
type Name = (typeof names)[number];
const dependsOn: Record<Name, readonly Name[]> = {
  top: [],
  left: ["top"],
  right: ["top"],
  bottom: ["left", "right"],
};
const maxTries = 2;
const maxRetries = 3;

/** Lets go what may go. */
function settle(model: Model): void {
  for (const name of names) {
    const stage = model.stages[name];
    const met = dependsOn[name].every((other) => model.stages[other].status === "COMPLETED");
    if (stage.status === "PENDING" && met) Object.assign(stage, { status: "READY", tries: 1 });
    if (stage.status === "READY" && model.life === "RUNNING") stage.status = "SENT";
  }
  if (model.life === "RUNNING" && names.every((name) => model.stages[name].status === "COMPLETED"))
    model.life = "COMPLETED";
}

function fail(model: Model, name: Name): void {
  const stage = model.stages[name];
  if (stage.tries < maxTries && model.retries < maxRetries) {
    Object.assign(stage, { status: "BACKOFF", tries: stage.tries + 1 });
    model.retries++;
    return;
  }
  stage.status = "FAILED";
  if (model.life === "RUNNING") model.life = "PAUSED";
}

function expectSame(model: Model, run: Run): void {
  const seen = names.map((name) => {
    const stage = run.state?.stages[run.state.plan.indexOf.get(name) ?? -1];
    if (stage?.status !== "DISPATCHED") return stage?.status;
    return stage.phase.kind === "sent"
      ? "SENT"
      : stage.phase.kind === "preparing" && stage.phase.wait.kind === "backoff"
        ? "BACKOFF"
        : "READY";
  });
  expect([run.state?.life.status, ...seen]).toEqual([
    model.life,
    ...names.map((name) => model.stages[name].status),
  ]);
}

type Step = fc.Command<Model, Run>;

class On implements Step {
  readonly name: Name;
  readonly what: "answer" | "fail" | "time out" | "ring";
  constructor(name: Name, what: On["what"]) {
    this.name = name;
    this.what = what;
  }
  check({ stages: all, life }: Readonly<Model>): boolean {
    return life !== "ABORTED" && all[this.name].status === (this.what === "ring" ? "BACKOFF" : "SENT");
  }
  run(model: Model, run: Run): void {
    const stage = model.stages[this.name];
    if (this.what === "ring") {
      run.fireTimer(`retry ${run.state?.stages[names.indexOf(this.name)]?.attempt} ${this.name}`);
      stage.status = "READY";
    } else if (this.what === "answer") {
      run.answer(this.name);
      stage.status = "COMPLETED";
    } else {
      if (this.what === "time out") run.fireTimer(`timeout p/${this.name}`);
      else run.answer(this.name, { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "x" } });
      fail(model, this.name);
    }
    settle(model);
    expectSame(model, run);
  }
  toString = () => `${this.what} ${this.name}`;
}

class Person implements Step {
  readonly what: "pause" | "resume" | "abort";
  constructor(what: Person["what"]) {
    this.what = what;
  }
  check = () => true;
  run(model: Model, run: Run): void {
    const [line = ""] = run.give({ type: this.what, reason: "so", by: ada });
    const allowed =
      this.what === "resume"
        ? model.life === "PAUSED"
        : this.what === "pause"
          ? model.life === "RUNNING"
          : model.life === "RUNNING" || model.life === "PAUSED";
    expect(line.startsWith("refused")).toBe(!allowed);
    if (!allowed) return;
    if (this.what === "pause") model.life = "PAUSED";
    if (this.what === "abort") model.life = "ABORTED";
    if (this.what === "resume") {
      model.life = "RUNNING";
      for (const name of names)
        if (model.stages[name].status === "FAILED")
          Object.assign(model.stages[name], { status: "READY", tries: 1 });
    }
    settle(model);
    expectSame(model, run);
  }
  toString = () => this.what;
}

describe("a pipeline and its model", () => {
  it("[PIP-02] [PIP-05] [PIP-09] agree after every step of any story", () => {
    const steps = [
      ...names.flatMap((name) =>
        (["answer", "answer", "fail", "time out", "ring"] as const).map((what) =>
          fc.constant(new On(name, what)),
        ),
      ),
      ...(["pause", "resume", "resume", "abort"] as const).map((what) => fc.constant(new Person(what))),
    ];
    fc.assert(
      fc.property(fc.commands<Model, Run>(steps, { maxCommands: 60, size: "max" }), (commands) => {
        const retry = { handoffPolicy: { retry: { maxAttempts: maxTries } } };
        const given = stages({
          top: retry,
          left: { ...retry, dependsOnStages: ["top"] },
          right: { ...retry, dependsOnStages: ["top"] },
          bottom: { ...retry, dependsOnStages: ["left", "right"] },
        });
        fc.modelRun(() => {
          const real = new Run({ stages: given, policy: { maxTotalRetries: maxRetries } });
          const fresh = () => ({ status: "PENDING" as const, tries: 0 });
          const model: Model = {
            life: "RUNNING",
            stages: { top: fresh(), left: fresh(), right: fresh(), bottom: fresh() },
            retries: 0,
          };
          settle(model);
          expectSame(model, real);
          return { model, real };
        }, commands);
      }),
      { numRuns: Number(process.env.BATON_FUZZ_RUNS ?? 500) },
    );
  });
});
