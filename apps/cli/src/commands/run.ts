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
import { asCalled } from "../called-as.ts";
import { CliError } from "../errors/cli-error.ts";
import { exitCode } from "../exit-code.ts";
import { openQuestions } from "../hub/list-escalations.ts";
import { type Session, withHub } from "../session.ts";
import { buildRequest } from "../task/build-request.ts";
import { checkWorkspace } from "../task/check-workspace.ts";
import { readDeadline, readTimeout } from "../task/deadline.ts";
import { meantFile } from "../task/file-as-template.ts";
import { contextLevels, failures, priorities, risks, type TaskOptions } from "../task/task-options.ts";
import {
  gather,
  readCount,
  readDollars,
  readInput,
  readLabel,
  readPositiveCount,
  readRetries,
} from "../task/values.ts";
import { renderStages } from "../views/stage-table.ts";
import { withExamples } from "./examples.ts";
import { refuseBoth } from "./refuse-both.ts";
import { addFollowOptions, type FollowOptions, showFollowing } from "./show-following.ts";

interface RunOptions extends TaskOptions, FollowOptions {
  readonly follow?: boolean;
  readonly wait?: boolean;
}

export function addRun(program: Command): void {
  const run = program
    .command("run")
    .summary("give the hub a task")
    .description("Gives the hub a task. On a terminal it is followed until it ends or waits for a person.")
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
    .option("--follow", "show what happens until it ends (what a terminal does by itself)")
    .option("--no-follow", "give back the run's id at once (what a pipe does by itself)")
    .option("--wait", "say nothing until it ends")
    .addOption(
      new Option(
        "--on-failure <what>",
        "when a stage fails for good: fail ends the run, pause waits for you. Without it, the template decides; " +
          "a single task fails in a pipe or with --wait, and pauses on a terminal",
      ).choices(Object.keys(failures)),
    );
  refuseBoth(run, "follow", "no-follow");
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
      "gives a single task to whoever can do it, and keeps the run's id",
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
    .option("--accept <text>", "what must be true of the result; give it once or more", gather)
    .option("--non-goal <text>", "what is deliberately not asked for; may be repeated", gather)
    .option("--domain <name>", "the module or service it touches")
    .option("--context <text>", "what agents should know beyond that")
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
    .option("--security-command <line>", "the command that looks for what must not get in")
    .option("--ref <locator>", "a file or URL that it refers to; may be repeated", gather)
    .option("--ref-commit <id>", "a commit that it refers to; may be repeated", gather)
    .option("--expect-create <path>", "a file that is to be created; may be repeated", gather)
    .option("--expect-modify <path>", "a file that is to be changed; may be repeated", gather)
    .option("--expect-delete <path>", "a file that is to be deleted; may be repeated", gather)
    .option("--label <name=value>", "to find the run by: baton runs list --label; may be repeated", readLabel)
    .option("--task-id <id>", "the task's id; comes from the key when left out")
    .option("--key <text>", "the idempotency key: the same key with the same task is taken once");
}

function addLimits(run: Command): void {
  run
    .optionsGroup("Its limits:")
    .addOption(new Option("--risk <tier>", "how much damage it can do").choices(Object.keys(risks)))
    .addOption(new Option("--priority <level>", "how urgent it is").choices(Object.keys(priorities)))
    .option("--timeout <time>", "how long one attempt may take, with --task-type: 90s, 30m, 2h", readTimeout)
    .option("--deadline <when>", "when a result is of no use any more: 2h, or an instant", readDeadline)
    .option("--budget-tokens <n>", "tokens it may spend", readCount)
    .option("--budget-usd <amount>", "dollars it may spend", readDollars)
    .option("--budget-steps <n>", "steps it may take", readCount)
    .option("--max-retries <n>", "retries of all stages together; 0 allows none", readRetries)
    .option("--patch-limit <lines>", "the largest patch that is accepted", readPositiveCount);
}

/** A §2.5: the hub and the SDK hold agents to it. */
function addBounds(run: Command): void {
  run
    .optionsGroup("What agents may do:")
    .option("--allow-tool <name>", "a tool that they may use, and no others; may be repeated", gather)
    .option("--deny-tool <name>", "a tool that they must not use; may be repeated", gather)
    .option("--prohibit <action>", "a command that they must not run; may be repeated", gather)
    .option("--max-autonomous-steps <n>", "steps that an attempt may take on its own", readPositiveCount);
}

async function submit(session: Session, template: string | undefined, options: RunOptions): Promise<number> {
  const request = buildRequest(template, options);
  endWhereNobodyLooks(request, session, options);
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
  if (response.existing) session.tell("an earlier request with the same key has made this run");
  const follows = options.wait || (options.follow ?? (session.output === "text" && session.look.isTerminal));
  // Whoever watches is told as it goes.
  if (!follows || options.wait) await tellNobody(session, pipeline);
  if (!follows) {
    if (session.output === "text") await session.write([pipeline.pipelineId]);
    else await session.writeJson(document(pipeline));
    return exitCode.ok;
  }
  if (session.output === "jsonl") await session.writeJson(document(pipeline));
  else if (session.output === "text" && !session.look.isTerminal) session.tell(`run ${pipeline.pipelineId}`);
  return showFollowing(session, pipeline, {
    ...options,
    quietly: options.wait ?? false,
    ...(session.output === "json" ? { document } : {}),
  });
}

/** A single task has no template that says what to do when it fails. In a script there is nobody to decide. */
function endWhereNobodyLooks(request: SubmitTaskRequest, { look }: Session, { wait }: RunOptions): void {
  const isSilent = request.failureStrategy === FailureStrategy.UNSPECIFIED;
  if (request.plan.case === "taskType" && isSilent && (wait || !look.isTerminal))
    request.failureStrategy = FailureStrategy.FAIL_FAST;
}

/** A task that nobody can take now would wait in silence: what it waits for is told once, with the way out. */
async function tellNobody(session: Session, pipeline: Pipeline): Promise<void> {
  const stuck = pipeline.stages.find(({ waitingFor }) => waitingFor.startsWith("an agent: "));
  if (stuck === undefined) return;
  const { pipelineId } = pipeline;
  const questions = await openQuestions(session.hub, pipeline, session.signal);
  const advice = questions.find(({ stageId }) => stageId === stuck.stageId)?.snapshot?.recommended;
  session.tell(`it waits for ${stuck.waitingFor}${advice ? `; ${asCalled(advice, session.way)}` : ""}`);
  session.tell(`more about it: ${session.way} why ${pipelineId}/${stuck.stageId}`);
}

/** Whether a lost call was taken cannot be known; with the same key it can be repeated. */
async function send({ hub, signal, tell }: Session, request: SubmitTaskRequest, { key }: RunOptions) {
  const again = `give the same command again${key === undefined ? ` with --key ${request.idempotencyKey}` : ""}`;
  try {
    return await hub.orchestrator.submitTask(request, { signal });
  } catch (error) {
    if (isUnknownTemplate(error))
      throw meantFile({ by: "TEMPLATE", name: String(request.plan.value) }) ?? error;
    if (request.validateOnly) throw error;
    if (signal.aborted) tell(`the hub may have taken the task; to be sure, ${again}`);
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
    session.tell("the hub would take it; nothing was done");
    await session.write(renderStages(session.look, pipeline, Date.now()));
  } else await session.writeJson(document);
  return exitCode.ok;
}
