import { FailureStrategy, type Pipeline, PipelineStatus, type Stage } from "@baton/contract/messages";

/** All dependents of a stage, direct and indirect. */
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

/** All dependencies of a stage, direct and indirect. */
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

/** The effect of a rejection. Without one left, the reviewed stage fails, whatever target is named. */
export function ifRejected(pipeline: Pipeline, stageId: string, targetId: string): string {
  const { stages, rejectionsLeft } = pipeline;
  if (!canSendBack(pipeline))
    return `No rejection is left, so nothing goes back: ${ifFailed(pipeline, stageId)}`;
  const reset = behind(stages, targetId);
  const over = reset.length > 0 ? ` ${list(reset)} ${reset.length === 1 ? "starts" : "start"} over.` : "";
  const last = rejectionsLeft === 1 ? " It is the last rejection that this run allows." : "";
  return `${targetId} is tried again, with what failed and your instructions.${over}${last}`;
}

/** Whether a rejection is left (PIP-09). Older hubs do not report it. */
export function canSendBack({ rejectionsLeft }: Pick<Pipeline, "rejectionsLeft">): boolean {
  return rejectionsLeft !== 0;
}

/** The effect of the failure strategy on a failed stage (A §4.2). */
export function ifFailed({ stages, policy, status }: Pipeline, stageId: string): string {
  const { failureStrategy, requireAllStages } = policy ?? {};
  const config = stages.find((stage) => stage.stageId === stageId)?.config;
  const isRequired = requireAllStages || config?.required;
  const errorStage = config?.errorStageId ?? "";
  if (!isRequired && errorStage !== "") return `${stageId} fails for good, and ${errorStage} takes over.`;
  if (!isRequired && failureStrategy === FailureStrategy.SKIP_FAILED)
    return `${stageId} fails for good, and the run goes on without it.`;
  // A paused run stays with a person.
  if (failureStrategy === FailureStrategy.FAIL_FAST && status !== PipelineStatus.PAUSED)
    return `${stageId} fails for good, and the run with it.`;
  return `${stageId} fails for good, and the run waits for a person.`;
}

export const ifAborted =
  "The run ends now. Its running attempts are cancelled and its open questions closed. Only a rewind brings it back.";

const answers: Readonly<Record<string, string>> = {
  resume: "The run goes on where it stopped. What had failed is tried again from its first attempt.",
  retry: "It is tried once more, with what is known now.",
  acknowledge: "It is noted who has seen it. Nothing else changes.",
  "go on": "It goes on, though the time is over.",
  approve: "It is let pass, and sent to an agent.",
  edit: "The tool is called with the arguments that you write.",
  refuse: "The tool is not called; the agent gets your reason and goes on.",
  raise: "The budget is raised as far as necessary, and another attempt is sent.",
  abort: ifAborted,
};

export function ifAnswered(option: string): string {
  return answers[option] ?? "The answer is recorded, and the run goes on with it.";
}

export function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
