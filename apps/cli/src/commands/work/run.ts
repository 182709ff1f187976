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
    .description("Submits a task. On a terminal, prints its progress until it ends or waits for a person.")
    .argument("[template]", "the template to run")
    .option("--task-type <type>", "run a single stage of this type, without a template")
    .option(
      "--file <path>",
      'a complete request as YAML or JSON; "-" for standard input; options override it',
    );
  addWork(run);
  addLimits(run);
  addBounds(run);
  run
    .optionsGroup("Follow-up:")
    .option("--follow", "print its progress until it ends (default on a terminal)")
    .option("--no-follow", "print the run id and return (default in a pipe)")
    .option("--wait", "wait silently until it ends")
    .addOption(
      new Option(
        "--on-failure <what>",
        "when a stage fails after all retries: fail the run, or pause it. Default: as in the template; " +
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
    .option("--dry-run", "validate the task and print its stages")
    .action((template: string | undefined, options: RunOptions, command: Command) =>
      withHub(command, (session) => submit(session, template, options)),
    );
  withExamples(run, [
    [
      'baton run implement-and-review --title "Add a login page" --accept "npm test passes" --workspace .',
      "runs a template in this folder and prints its progress",
    ],
    ["baton run --file task.yaml --dry-run", "validates a task file"],
    [
      'id=$(baton run --task-type write-tests --title "Cover the parser" --accept "all branches are covered")',
      "submits a single task and keeps the run id",
    ],
    [
      "baton run nightly --file task.yaml --key nightly-2027-01-31 --wait --output json",
      "safe to repeat: the same key starts one run",
    ],
  ]);
}

function addWork(run: Command): void {
  run
    .optionsGroup("Task:")
    .option("--title <text>", "the task in one line")
    .option("--accept <text>", "an acceptance criterion (required); may be repeated", gather)
    .option("--non-goal <text>", "a non-goal; may be repeated", gather)
    .option("--domain <name>", "the affected module or service")
    .option("--context <text>", "further context for agents")
    .addOption(
      new Option("--context-level <level>", "how much context agents get; overrides the template").choices(
        Object.keys(contextLevels),
      ),
    )
    .option("--input <name=value>", "an input, as name=text or name:=json; may be repeated", readInput)
    .option("--repository <path>", "a git repository; every attempt gets its own folder and branch")
    .option("--workspace <path>", "a folder that agents and hub share")
    .option("--base-commit <sha>", "the commit to start from")
    .option("--branch <name>", "the branch of the --workspace folder")
    .option("--test-command <line>", "the command that tests the work")
    .option("--lint-command <line>", "the command that lints it")
    .option("--typecheck-command <line>", "the command that checks its types")
    .option("--build-command <line>", "the command that builds it")
    .option("--security-command <line>", "the command that checks its security")
    .option("--ref <locator>", "a file or URL that the task refers to; may be repeated", gather)
    .option("--ref-commit <id>", "a commit that the task refers to; may be repeated", gather)
    .option(
      "--expect-create <path>",
      "a file that may be created; with any --expect-…, all other changes fail; may be repeated",
      gather,
    )
    .option("--expect-modify <path>", "a file that may be changed; may be repeated", gather)
    .option("--expect-delete <path>", "a file that may be deleted; may be repeated", gather)
    .option("--reply-to <url>", "an address that receives the result, signed; may be repeated", gather)
    .option("--reply-progress", "it also receives when the run is running or waits for a person")
    .option("--label <name=value>", "a label for baton runs list --label; may be repeated", readLabel)
    .option("--task-id <id>", "the task id (default: derived from the key)")
    .option("--key <text>", "the idempotency key: the same key with the same task starts one run");
}

function addLimits(run: Command): void {
  run
    .optionsGroup("Limits:")
    .addOption(new Option("--risk <tier>", "how much damage the task can do").choices(Object.keys(risks)))
    .addOption(new Option("--priority <level>", "how urgent the task is").choices(Object.keys(priorities)))
    .option("--timeout <time>", "with --task-type, the timeout of an attempt: 90s, 30m, 2h", readTimeout)
    .option("--deadline <when>", "the deadline: 2h from now, or a time", readDeadline)
    .option("--budget-tokens <n>", "the token budget", readCount)
    .option("--budget-usd <amount>", "the cost budget in dollars", readDollars)
    .option("--budget-steps <n>", "the step budget", readCount)
    .option("--max-retries <n>", "the number of retries across all stages", readRetries)
    .option("--patch-limit <lines>", "the maximum patch size", readPositiveCount);
}

/** A §2.5: enforced by the hub and the SDK. */
function addBounds(run: Command): void {
  run
    .optionsGroup("Permissions:")
    .option("--allow-tool <name>", "a tool that agents may use; others are denied; may be repeated", gather)
    .option("--deny-tool <name>", "a tool that agents must not use; may be repeated", gather)
    .option("--prohibit <action>", "a command that agents must not run; may be repeated", gather)
    .option("--max-autonomous-steps <n>", "the number of steps without asking a person", readPositiveCount);
}

async function submit(session: Session, template: string | undefined, options: RunOptions): Promise<number> {
  const request = buildRequest(template, options);
  failFastUnattended(request, session, options);
  checkWorkspace(request, session.hub.address, options.workspace !== undefined);
  const response = await send(session, request, options);
  const { pipeline } = response;
  if (pipeline === undefined) {
    throw new CliError("BATON-CLI-008", "the hub accepted the task but returned no run", {
      fix: "run baton runs list to find it",
    });
  }
  const document = (final: Pipeline) =>
    encodeJson(SubmitTaskResponseSchema, create(SubmitTaskResponseSchema, { ...response, pipeline: final }));
  if (request.validateOnly) return showPlan(session, pipeline, document(pipeline));
  if (response.existing) session.printNote("this run was started by an earlier request with the same key");
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
    `waiting for ${waiting.waitingFor}${advice ? `; ${withInvocation(advice, session.invocation)}` : ""}`,
  );
  session.printNote(`details: ${session.invocation} why ${pipelineId}/${waiting.stageId}`);
}

/** A lost call may have been accepted; with the same key it can be repeated. */
async function send({ hub, signal, printNote }: Session, request: SubmitTaskRequest, { key }: RunOptions) {
  const again = `repeat the command${key === undefined ? ` with --key ${request.idempotencyKey}` : ""}`;
  try {
    return await hub.orchestrator.submitTask(request, { signal });
  } catch (error) {
    if (isUnknownTemplate(error))
      throw fileError({ by: "TEMPLATE", name: String(request.plan.value) }) ?? error;
    if (request.validateOnly) throw error;
    if (signal.aborted) printNote(`the hub may have accepted the task; to be sure, ${again}`);
    const { code } = ConnectError.from(error);
    if (code !== Code.DeadlineExceeded && code !== Code.Canceled) throw error;
    throw new CliError("BATON-CLI-003", "the hub did not respond in time and may have accepted the task", {
      fix: `${again}; it starts only one run`,
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
    session.printNote("the task is valid; nothing was started");
    for (const { stageId, waitingFor } of pipeline.stages)
      if (waitingFor.startsWith("an agent: ")) session.printNote(`${stageId} would wait for ${waitingFor}`);
    await session.write(renderStages(session.terminal, pipeline, Date.now()));
  } else await session.writeJson(document);
  return exitCode.ok;
}
