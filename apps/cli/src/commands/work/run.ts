import {
  ErrorDetailSchema,
  encodeJson,
  FailureStrategy,
  type Pipeline,
  type SubmitTaskRequest,
  SubmitTaskResponseSchema,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type Command, Option } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { withInvocation } from "../../invocation.ts";
import { openQuestions } from "../../queries/list-escalations.ts";
import { type Session, withHub } from "../../session.ts";
import { buildRequest } from "../../task/build-request.ts";
import { checkWorkspace } from "../../task/check-workspace.ts";
import { readDeadline, readTimeout } from "../../task/deadline.ts";
import { fileError } from "../../task/file-as-template.ts";
import { contextLevels, failures, priorities, risks, type TaskOptions } from "../../task/task-options.ts";
import {
  gather,
  readCount,
  readDollars,
  readInput,
  readLabel,
  readPositiveCount,
  readRetries,
} from "../../task/values.ts";
import { renderStages } from "../../views/runs/stage-table.ts";
import { withExamples } from "../options/examples.ts";
import { refuseBoth } from "../options/option-rules.ts";
import { addFollowOptions, type FollowOptions, showFollowing } from "../watching/follow-run.ts";

interface RunOptions extends TaskOptions, FollowOptions {
  readonly follow?: boolean;
  readonly wait?: boolean;
}

export function addRun(program: Command): void {
  const run = program
    .command("run")
    .description("Submits a task. On a terminal it is followed until it ends or waits for a person.")
    .argument("[template]", "the template that says how the task is run")
    .option("--task-type <type>", "run it as one stage of this type, without a template")
    .option(
      "--file <path>",
      'a whole request as YAML or JSON; "-" reads standard input; options win over it',
    );
  addWork(run);
  addLimits(run);
  addBounds(run);
  run
    .optionsGroup("What happens then:")
    .option("--follow", "show what happens until it ends (default on a terminal)")
    .option("--no-follow", "print the run's id and return (default in a pipe)")
    .option("--wait", "print nothing until it ends")
    .addOption(
      new Option(
        "--on-failure <what>",
        "when a stage fails for good: fail ends the run, pause waits for you. Without it, the template decides; " +
          "a single task fails in a pipe or with --wait, and pauses on a terminal",
      ).choices(Object.keys(failures)),
    );
  refuseBoth(run, "follow", "no-follow");
  refuseBoth(run, "follow", "wait");
  refuseBoth(run, "wait", "no-follow");
  refuseBoth(run, "keep-waiting", "no-follow");
  refuseBoth(run, "verbose", "no-follow");
  refuseBoth(run, "verbose", "wait");
  addFollowOptions(run)
    .option("--dry-run", "check the task and show what would happen")
    .action((template: string | undefined, options: RunOptions, command: Command) =>
      withHub(command, (session) => submit(session, template, options)),
    );
  withExamples(run, [
    [
      'baton run implement-and-review --title "Add a login page" --accept "npm test passes" --workspace .',
      "runs a template on the repository here, and shows it until it ends",
    ],
    ["baton run --file task.yaml --dry-run", "checks a task that is written in a file"],
    [
      'id=$(baton run --task-type write-tests --title "Cover the parser" --accept "all branches are covered")',
      "submits a single task, and keeps the run's id",
    ],
    [
      "baton run nightly --file task.yaml --key nightly-2027-01-31 --wait --output json",
      "can be repeated safely: the same key is taken once",
    ],
  ]);
}

function addWork(run: Command): void {
  run
    .optionsGroup("The work:")
    .option("--title <text>", "the task in one line")
    .option("--accept <text>", "an acceptance criterion; required, may be repeated", gather)
    .option("--non-goal <text>", "a non-goal; may be repeated", gather)
    .option("--domain <name>", "the module or service it touches")
    .option("--context <text>", "further context for agents")
    .addOption(
      new Option(
        "--context-level <level>",
        "how much context agents get, whatever the template says",
      ).choices(Object.keys(contextLevels)),
    )
    .option("--input <name=value>", "an input, as name=text or name:=json; may be repeated", readInput)
    .option("--repository <path>", "a git repository: every attempt gets a folder and a branch of its own")
    .option("--workspace <path>", "a folder that all agents and the hub work in, as it is")
    .option("--base-commit <sha>", "the commit the work starts from")
    .option("--branch <name>", "the branch that the folder of --workspace is on")
    .option("--test-command <line>", "the command that tests the work")
    .option("--lint-command <line>", "the command that lints it")
    .option("--typecheck-command <line>", "the command that checks its types")
    .option("--build-command <line>", "the command that builds it")
    .option("--security-command <line>", "the command that checks its security")
    .option("--ref <locator>", "a file or URL that the task refers to; may be repeated", gather)
    .option("--ref-commit <id>", "a commit that the task refers to; may be repeated", gather)
    .option(
      "--expect-create <path>",
      "a file that may be created; with any --expect-…, every other change fails; may be repeated",
      gather,
    )
    .option("--expect-modify <path>", "a file that may be changed; may be repeated", gather)
    .option("--expect-delete <path>", "a file that may be deleted; may be repeated", gather)
    .option("--label <name=value>", "to find the run by: baton runs list --label; may be repeated", readLabel)
    .option("--task-id <id>", "the task's id; comes from the key when left out")
    .option("--key <text>", "the idempotency key: the same key with the same task is taken once");
}

function addLimits(run: Command): void {
  run
    .optionsGroup("Its limits:")
    .addOption(new Option("--risk <tier>", "how much damage the task can do").choices(Object.keys(risks)))
    .addOption(new Option("--priority <level>", "how urgent the task is").choices(Object.keys(priorities)))
    .option("--timeout <time>", "how long one attempt may take, with --task-type: 90s, 30m, 2h", readTimeout)
    .option("--deadline <when>", "when a result is of no use any more: 2h, or an instant", readDeadline)
    .option("--budget-tokens <n>", "tokens the task may spend", readCount)
    .option("--budget-usd <amount>", "dollars the task may spend", readDollars)
    .option("--budget-steps <n>", "steps the task may take", readCount)
    .option("--max-retries <n>", "retries of all stages together; 0 allows none", readRetries)
    .option("--patch-limit <lines>", "the largest patch that is accepted", readPositiveCount);
}

/** A §2.5: enforced by the hub and the SDK. */
function addBounds(run: Command): void {
  run
    .optionsGroup("What agents may do:")
    .option("--allow-tool <name>", "a tool that agents may use, and no others; may be repeated", gather)
    .option("--deny-tool <name>", "a tool that agents must not use; may be repeated", gather)
    .option("--prohibit <action>", "a command that agents must not run; may be repeated", gather)
    .option("--max-autonomous-steps <n>", "steps that an attempt may take without asking", readPositiveCount);
}

async function submit(session: Session, template: string | undefined, options: RunOptions): Promise<number> {
  const request = buildRequest(template, options);
  failFastUnattended(request, session, options);
  checkWorkspace(request, session.hub.address, options.workspace !== undefined);
  const response = await send(session, request, options);
  const { pipeline } = response;
  if (pipeline === undefined) {
    throw new CliError("BATON-CLI-008", "the hub took the task and named no run", {
      fix: "baton runs list shows it",
    });
  }
  const document = (final: Pipeline) =>
    encodeJson(SubmitTaskResponseSchema, create(SubmitTaskResponseSchema, { ...response, pipeline: final }));
  if (request.validateOnly) return showPlan(session, pipeline, document(pipeline));
  if (response.existing) session.printNote("an earlier request with the same key has made this run");
  const follows = isFollowed(session, options);
  // A watcher sees it in the story.
  if (!follows || options.wait) await printMissingAgent(session, pipeline);
  if (!follows) {
    if (session.output === "text") await session.write([pipeline.pipelineId]);
    else await session.writeJson(document(pipeline));
    return exitCode.ok;
  }
  if (session.output === "jsonl") await session.writeJson(document(pipeline));
  else if (session.output === "text" && !session.terminal.isTerminal)
    session.printNote(`run ${pipeline.pipelineId}`);
  return showFollowing(session, pipeline, {
    ...options,
    quietly: options.wait ?? false,
    ...(session.output === "json" ? { document } : {}),
  });
}

/** Options that say how to follow imply --follow. */
function isFollowed(
  { output, terminal }: Session,
  { wait, follow, keepWaiting, verbose }: RunOptions,
): boolean {
  if (wait || keepWaiting || verbose) return true;
  return follow ?? (output === "text" && terminal.isTerminal);
}

/** A single task has no template with a failure strategy, and a script has nobody to decide: it fails fast. */
function failFastUnattended(request: SubmitTaskRequest, { terminal }: Session, { wait }: RunOptions): void {
  const isSilent = request.failureStrategy === FailureStrategy.UNSPECIFIED;
  if (request.plan.case === "taskType" && isSilent && (wait || !terminal.isTerminal))
    request.failureStrategy = FailureStrategy.FAIL_FAST;
}

/** Says once what a task without an agent waits for, and the fix. */
async function printMissingAgent(session: Session, pipeline: Pipeline): Promise<void> {
  const waiting = pipeline.stages.find(({ waitingFor }) => waitingFor.startsWith("an agent: "));
  if (waiting === undefined) return;
  const { pipelineId } = pipeline;
  const questions = await openQuestions(session.hub, pipeline, session.signal);
  const advice = questions.find(({ stageId }) => stageId === waiting.stageId)?.snapshot?.recommended;
  session.printNote(
    `it waits for ${waiting.waitingFor}${advice ? `; ${withInvocation(advice, session.invocation)}` : ""}`,
  );
  session.printNote(`more about it: ${session.invocation} why ${pipelineId}/${waiting.stageId}`);
}

/** A lost call may have been accepted; with the same key it can be repeated. */
async function send({ hub, signal, printNote }: Session, request: SubmitTaskRequest, { key }: RunOptions) {
  const again = `give the same command again${key === undefined ? ` with --key ${request.idempotencyKey}` : ""}`;
  try {
    return await hub.orchestrator.submitTask(request, { signal });
  } catch (error) {
    if (isUnknownTemplate(error))
      throw fileError({ by: "TEMPLATE", name: String(request.plan.value) }) ?? error;
    if (request.validateOnly) throw error;
    if (signal.aborted) printNote(`the hub may have taken the task; to be sure, ${again}`);
    const { code } = ConnectError.from(error);
    if (code !== Code.DeadlineExceeded && code !== Code.Canceled) throw error;
    throw new CliError("BATON-CLI-003", "the hub did not answer in time, so it may have taken the task", {
      fix: `${again}: it is taken once`,
      cause: error,
    });
  }
}

function isUnknownTemplate(error: unknown): boolean {
  const details = ConnectError.from(error).findDetails(ErrorDetailSchema);
  return details.some(({ code }) => code === "BATON-SUBMIT-001");
}

async function showPlan(session: Session, pipeline: Pipeline, document: string): Promise<number> {
  if (session.output === "text") {
    session.printNote("the hub would take it; nothing was done");
    for (const { stageId, waitingFor } of pipeline.stages)
      if (waitingFor.startsWith("an agent: ")) session.printNote(`${stageId} would wait for ${waitingFor}`);
    await session.write(renderStages(session.terminal, pipeline, Date.now()));
  } else await session.writeJson(document);
  return exitCode.ok;
}
