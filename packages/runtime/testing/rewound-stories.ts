/** Stories of workspaces, rewinds, reruns and approved rejections, for recorded journals. */
import { FailureStrategy, Outcome, ResponseStatus } from "@baton/contract";
import { ada, prepared, Run, rewinding, stages, startMs, type TestPipeline } from "@baton/kernel/testing";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

export type Story = <Started extends Run>(start: (pipeline: TestPipeline) => Started) => Started;

const failing = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "cannot be done" } };
const retryable = { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "try later" } };
const inPlaces: TestPipeline = {
  task: { workspace: { repository: "/r" }, inputs: { company: "Acme", nested: { $message: "theirs" } } },
  stages: stages({ plan: {}, build: { inputMapping: { who: "{{input.company}}" } }, check: {} }),
  policy: { failureStrategy: FailureStrategy.FAIL_FAST, pipelineDeadline: { seconds: 5_000n } },
};

export const rewoundStories: Readonly<Record<string, Story>> = {
  "rewound-and-returned": (start) => {
    const run = start(inPlaces);
    makePlace(run);
    run.answer("plan", retryable);
    run.fireTimer("retry");
    run.give({ type: "work-left", dispatchId: `${run.state?.id}/plan/1`, commit: "left by plan/1" });
    work(run, "plan");
    const planned = run.records.length;
    makePlace(run);
    run.pass(60_000).answer("build", failing);
    const failed = run.records.length;
    run.pass(1_000).give(rewinding(run, planned));
    work(run, "build");
    run.pass(1_000).give(rewinding(run, failed));
    run.pass(1_000).give(rewinding(run, 1));
    work(run, "plan");
    makePlace(run);
    return run;
  },
  "failed-as-a-whole": (start) => {
    const run = start(inPlaces);
    work(run, "plan");
    makePlace(run);
    run.answer("build", failing);
    return run;
  },
  "run-again-from-a-stage": (start) => {
    const first = new Run({ ...inPlaces, pipelineId: "p-first" });
    for (const stage of ["plan", "build", "check"]) work(first, stage);
    if (!first.state) throw new Error("a story makes a pipeline");
    const inputs = { size: "large", $text: "theirs" };
    const rerun = {
      stageId: "build",
      reason: "try it large",
      inputs,
      mergeInputs: true,
      instructions: ["large"],
    };
    const run = start({ ...inPlaces, rerun: { origin: first.state, ...rerun } });
    work(run, "build");
    makePlace(run);
    return run;
  },
  "let-pass-by-people": (start) => {
    const handoffPolicy = { escalation: { autoEscalateOnSecurityFlag: ["touches_auth"] } };
    const run = start({
      stages: stages({ a: { handoffPolicy }, b: {} }),
      task: {
        deadline: timestampFromMs(startMs + 1_000),
        safety: { securityFlags: { touchesAuth: true } },
      },
    });
    answerFirst(run, "approve");
    run.pass(2_000).answer("a");
    answerFirst(run, "go on");
    return run;
  },
  "end-taken-back": (start) => {
    const beside = { required: false, dependsOnStages: [] };
    const run = start({ stages: stages({ first: {}, other: beside, must: { dependsOnStages: [] } }) });
    run.answer("first", { response: { status: ResponseStatus.COMPLETED, message: "enough" } });
    run.pass(1_000).sendBack("first", ["not yet"]);
    run.answer("first");
    return run;
  },
};

function makePlace(run: Run): void {
  const asked = run.commands.findLast(({ type }) => type === "prepare-workspace");
  if (asked?.type === "prepare-workspace") run.give(prepared(asked, true));
}

/** An attempt in a workspace of its own, whose work is kept and passes the gate. */
function work(run: Run, stageId: string): void {
  makePlace(run);
  const dispatchId = run.envelope(stageId).execution?.dispatchId ?? "";
  run.pass(1_000).answer(stageId);
  const verification = { commands: [], changes: undefined, commit: `commit of ${dispatchId}`, artifacts: [] };
  run.pass(1_000).give({ type: "verified", dispatchId, verification });
}

function answerFirst(run: Run, resolution: string): void {
  const [escalationId = ""] = run.state?.escalations.keys() ?? [];
  run.give({ type: "resolve", escalationId, resolution, reason: "known", by: ada });
  if (run.problem) throw new Error(run.problem.message);
}
