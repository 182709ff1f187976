import { type Step, StepSchema, StepState, type TaskEnvelope, UsageSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { Agent } from "./agent.ts";

const names = ["plan", "fetch", "write"] as const;

/** "fetch" may be run again; the others may not. */
const idempotent: ReadonlySet<string> = new Set(["fetch"]);

const argumentsDigest = `sha256:${"0".repeat(64)}`;

/** The steps of a job, one after another; `done` is called when all have ended, and never when the attempt is over. */
export function takeSteps(agent: Agent, envelope: TaskEnvelope, over: () => boolean, done: () => void): void {
  const given = new Map(envelope.steps?.steps.map((step) => [step.name, step]));
  const takeFrom = (place: number): void => {
    const name = names[place];
    if (name === undefined) return done();
    takeStep(agent, envelope, { name, known: given.get(name), over, next: () => takeFrom(place + 1) });
  };
  takeFrom(0);
}

interface Taken {
  readonly name: string;
  /** As an earlier attempt reported it. */
  readonly known: Step | undefined;
  readonly over: () => boolean;
  readonly next: () => void;
}

function takeStep(agent: Agent, envelope: TaskEnvelope, { name, known, over, next }: Taken): void {
  const { sim, observer, line } = agent;
  const dispatchId = envelope.execution?.dispatchId ?? "";
  const mayRepeat = idempotent.has(name);
  if (known?.state === StepState.COMPLETED) {
    observer.steps.used(envelope, name, known.valueJson);
    return next();
  }
  // It is unknown whether it ended: only an idempotent one is run again.
  if (known?.state === StepState.STARTED && !mayRepeat) return next();
  const isSame = agent.isSame();
  const isOver = () => over() || !isSame();
  const report = (init: { readonly state: StepState; readonly valueJson?: string }, stored: () => void) => {
    const usage = create(UsageSchema, init.state === StepState.COMPLETED ? { outputTokens: 3n } : {});
    const step = create(StepSchema, {
      name,
      argumentsDigest,
      occurrence: 1,
      idempotent: mayRepeat,
      usage,
      ...init,
    });
    line.step(dispatchId, step, isOver, (isStored) => {
      if (isStored && !isOver()) stored();
    });
  };
  const run = () => {
    observer.steps.ran(envelope, name, mayRepeat);
    agent.soon(sim.random.int(20, 600), () => {
      if (isOver()) return;
      const valueJson = observer.steps.valueOf(envelope, name);
      report({ state: StepState.COMPLETED, valueJson }, () => {
        observer.steps.stored(envelope, name);
        next();
      });
    });
  };
  if (mayRepeat) run();
  else report({ state: StepState.STARTED }, run);
}
