import { FailureStrategy, type Pipeline, type Stage } from "@baton/contract/messages";

/** Everything that depends on a stage, directly or not. */
export function behind(stages: readonly Stage[], stageId: string): readonly string[] {
  const found = new Set<string>();
  const waiting = [stageId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const { stageId: other, config } of stages) {
      if (!config?.dependsOnStages.includes(id) || found.has(other)) continue;
      found.add(other);
      waiting.push(other);
    }
  }
  return stages.map((stage) => stage.stageId).filter((id) => found.has(id));
}

/** Everything that a stage depends on, directly or not. */
export function before(stages: readonly Stage[], stageId: string): readonly string[] {
  return stages.map((stage) => stage.stageId).filter((id) => behind(stages, id).includes(stageId));
}

export function ifApproved({ stages }: Pipeline, stageId: string): string {
  const next = stages
    .filter(({ config }) => config?.dependsOnStages.includes(stageId))
    .map((stage) => stage.stageId);
  const goesOn = next.length > 0 ? `${list(next)} can start.` : "nothing else waits for it.";
  return `The work of ${stageId} is accepted, and ${goesOn}`;
}

export function ifRejected({ stages }: Pipeline, targetId: string): string {
  const reset = behind(stages, targetId);
  const over = reset.length > 0 ? ` ${list(reset)} ${reset.length === 1 ? "starts" : "start"} over.` : "";
  return `${targetId} is tried again, with what failed and your instructions.${over}`;
}

export function ifFailed({ policy }: Pipeline, stageId: string): string {
  switch (policy?.failureStrategy) {
    case FailureStrategy.FAIL_FAST:
      return `${stageId} fails for good, and the run with it.`;
    case FailureStrategy.SKIP_FAILED:
      return `${stageId} fails for good; it is left out when it is not required, else the run waits for a person.`;
    default: // As a plan that says nothing.
      return `${stageId} fails for good, and the run waits for a person.`;
  }
}

export const ifAborted =
  "The run ends now. What its agents are at is cancelled; its open questions are closed. Only a rewind brings it back.";

const answers: Readonly<Record<string, string>> = {
  resume: "The run goes on where it stopped. What had failed is tried again from its first attempt.",
  retry: "It is tried once more, with what is known now.",
  acknowledge: "It is noted who has seen it. Nothing else changes.",
  "go on": "It goes on, though the time is over.",
  approve: "It is let pass, and sent to an agent.",
  abort: ifAborted,
};

export function ifAnswered(option: string): string {
  return answers[option] ?? "The answer is recorded, and the run goes on with it.";
}

export function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
