import type { TaskEnvelope } from "@baton/contract";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { Fault } from "../chance/faults.ts";
import type { Answer } from "../kernel.ts";
import type { Agent } from "./agent.ts";
import { answerTo } from "./answers.ts";
import { takeSteps } from "./durable-steps.ts";

/** One task of an agent. */
export interface Job {
  /** The answer was accepted, or the attempt cancelled. */
  over: boolean;
  /** Durable steps are under way, and the answer waits for them. */
  hasSteps?: boolean;
  finish?: () => void;
}

const behaviours = [
  "hang",
  "death",
  "late answer",
  "stale answer",
  "two answers",
  "lie about evidence",
  "failing evidence",
  "wrong trace",
  "wrong attempt",
  "wrong dispatch",
  "wrong task",
  "wrong version",
  "unreadable result",
  "no evidence",
  "no outcome",
  "overspending",
  "no usage",
  "too many steps",
  "clarification",
  "sent back",
  "response failure",
  "workflow ended early",
  "partial result",
  "retryable failure",
  "non-retryable failure",
  "policy blocked",
] as const satisfies readonly Fault[];

/** Answers after which the next attempt continues with the steps of this one. */
const keepsSteps: ReadonlySet<Fault> = new Set(["retryable failure", "policy blocked", "clarification"]);

/** Works for a while, then behaves in one of the ways above. */
export function startJob(agent: Agent, envelope: TaskEnvelope, dispatchId: string): void {
  const { sim } = agent;
  const job: Job = { over: false };
  agent.jobs.set(dispatchId, job);
  const behaviour = sim.faults.oneOf(behaviours);
  const workMs = sim.random.int(300, 9_000);
  if (sim.withSteps && sim.random.chance(0.7)) workInSteps(agent, envelope, job);
  if (sim.faults.strikes("falling confidence")) loseConfidence(agent, envelope, job);
  if (behaviour === "hang") return;
  if (behaviour === "death") {
    agent.soon(workMs, () => agent.die("dies while working"));
    return;
  }
  if (behaviour === "too many steps" && sim.random.chance(0.5)) {
    const steps = (envelope.safety?.maxAutonomousSteps ?? 0) + 5;
    agent.soon(workMs / 2, () => agent.line.steps(dispatchId, steps));
  }
  const timeout = envelope.execution?.timeout;
  const lateMs = behaviour === "late answer" && timeout ? durationMs(timeout) + sim.random.int(0, 5_000) : 0;
  agent.soon(Math.max(workMs, lateMs), () => {
    job.finish = () => finish(agent, envelope, dispatchId, behaviour, job);
    if (job.hasSteps !== true) job.finish();
  });
}

/** The answer waits for the steps. An attempt whose steps are refused is over. */
function workInSteps(agent: Agent, envelope: TaskEnvelope, job: Job): void {
  job.hasSteps = true;
  takeSteps(
    agent,
    envelope,
    () => job.over,
    () => {
      job.hasSteps = false;
      job.finish?.();
    },
  );
}

function finish(
  agent: Agent,
  envelope: TaskEnvelope,
  dispatchId: string,
  behaviour: Fault | undefined,
  job: Job,
): void {
  const { sim, groundTruth } = agent;
  if (behaviour === "lie about evidence" || behaviour === "failing evidence")
    groundTruth.failing.add(dispatchId);
  // A late answer ignores the cancellation.
  if (job.over && behaviour !== "late answer") return;
  job.over = false;
  const old = behaviour === "stale answer" ? sim.random.pick(agent.past) : envelope;
  const answered =
    behaviour === "stale answer" && sim.random.chance(0.5) ? (old.execution?.dispatchId ?? "") : dispatchId;
  if (behaviour === undefined || !keepsSteps.has(behaviour))
    for (const one of [envelope, old]) agent.observer.steps.mayBeDropped(one);
  keepSending(agent, answered, answerTo(old, behaviour, sim), job);
  if (behaviour === "two answers") {
    agent.soon(sim.random.int(0, 4_000), () =>
      keepSending(agent, dispatchId, answerTo(envelope, undefined, sim), { over: false }),
    );
  }
}

/** Until the hub acknowledges it. */
function keepSending(agent: Agent, dispatchId: string, answer: Answer, job: Job): void {
  if (answer.kind === "result") agent.observer.answered(answer.result);
  const isSame = agent.isSame();
  const over = () => job.over || !isSame();
  agent.line.answer(dispatchId, answer, over, () => {
    job.over = true;
  });
}

function loseConfidence(agent: Agent, envelope: TaskEnvelope, job: Job): void {
  for (let turnIndex = 0; turnIndex < 7; turnIndex++) {
    const confidence = 0.95 - turnIndex * 0.11;
    agent.soon(100 + turnIndex * 40, () => {
      if (!job.over) agent.line.turn(envelope, turnIndex, confidence);
    });
  }
}
