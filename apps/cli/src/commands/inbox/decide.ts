/** The decisions of a person: `approve` and `reject` for reviews, `answer` for other questions. */
import {
  type Escalation,
  encodeJson,
  type Pipeline,
  ResolveEscalationResponseSchema,
  ReviewStageResponseSchema,
} from "@baton/contract/forms";
import { canSendBack, ifApproved, ifFailed, ifRejected, stagesUnderReview } from "@baton/kernel/deciding";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Command, InvalidArgumentError } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { findQuestion } from "../../queries/find-question.ts";
import { openQuestions } from "../../queries/list-escalations.ts";
import { type Session, withHub } from "../../session.ts";
import { gather } from "../../task/values.ts";
import { renderHeading } from "../../views/runs/run-view.ts";
import { withExamples } from "../options/examples.ts";

const reviewArgument = "the id of the review, its run, or RUN/STAGE";

export function addDecisions(program: Command): void {
  addApprove(program);
  addReject(program);
  addAnswer(program);
}

function addApprove(program: Command): void {
  const approve = program
    .command("approve")
    .description("Approves work that needs a review. Dependent stages continue.")
    .argument("<review>", reviewArgument)
    .requiredOption("--reason <text>", "the reason (required); audited with your name")
    .action((given: string, { reason }: { readonly reason: string }, command: Command) =>
      withHub(command, (session) =>
        review(session, given, { reason, verdict: { case: "approval", value: {} } }),
      ),
    );
  withExamples(approve, [
    ['baton approve p-3s43k65n --reason "read the diff, tried it"', "the only open review of a run"],
  ]);
}

interface RejectOptions {
  readonly reason: string;
  readonly to?: string;
  readonly instruct?: readonly string[];
  readonly unfixable?: boolean;
}

function addReject(program: Command): void {
  const reject = program
    .command("reject")
    .description(
      "Rejects work that needs a review. The stage under review is retried with your reason and instructions as " +
        "feedback, and so are later stages. If the reviewing stage changed nothing itself, the nearest earlier stage " +
        "that did is retried.",
    )
    .argument("<review>", reviewArgument)
    .requiredOption("--reason <text>", "the reason (required); audited with your name")
    .option("--to <stage>", "the stage to go back to (default: the stage under review)")
    .option("--instruct <text>", "an instruction for the next attempt; may be repeated", gather)
    .option("--unfixable", "fail the stage instead of retrying it")
    .action((given: string, options: RejectOptions, command: Command) =>
      withHub(command, (session) => {
        const value = {
          rewindTargetStage: options.to ?? "",
          instructions: [...(options.instruct ?? [])],
          unfixable: options.unfixable ?? false,
        };
        return review(session, given, { reason: options.reason, verdict: { case: "rejection", value } });
      }),
    );
  withExamples(reject, [
    ['baton reject p-3s43k65n --reason "no tests" --instruct "cover the empty title"', "with instructions"],
    ['baton reject p-3s43k65n/review --to implement --reason "..."', "back to an earlier stage"],
  ]);
}

function addAnswer(program: Command): void {
  const answer = program
    .command("answer")
    .description("Answers a question: of an agent in your own words, of the hub with one of its options.")
    .argument("<question>", reviewArgument.replace("review", "question"))
    .argument("<answer...>", "your answer, or one of the options")
    .option("--reason <text>", "the reason; audited with your name")
    .option("--arguments <json>", "for edit of a tool's call: the arguments to use instead", readObject)
    .option("--all", "apply the answer to every open question with the same cause")
    .action(
      (
        given: string,
        words: readonly string[],
        { reason = "", all = false, arguments: edited }: AnswerOptions,
        command: Command,
      ) =>
        withHub(command, async (session) => {
          const { hub, signal } = session;
          const question = await findQuestion(hub, given, "question", signal);
          const { escalationId } = question;
          const request = {
            ...{ escalationId, resolution: words.join(" "), reason, sameCause: all },
            ...(edited && { arguments: edited }),
          };
          const response = await hub.orchestrator.resolveEscalation(request, { signal });
          if (session.output !== "text")
            await session.writeJson(encodeJson(ResolveEscalationResponseSchema, response));
          else {
            const { length: others } = response.alsoResolved;
            session.printNote(
              `answered ${escalationId}${others > 0 ? ` and ${others} more with the same cause` : ""}`,
            );
            await showPipeline(session, response.escalation);
            await printAskedAgain(session, question);
          }
          return exitCode.ok;
        }),
    );
  withExamples(answer, [
    ['baton answer p-3s43k65n "use the small logo"', "the only open question of a run"],
    ["baton answer p-3s43k65n/e2 retry", "with one of the options that baton inbox lists"],
    ["baton answer p-3s43k65n/e2 retry --all", "for all questions with the same cause"],
    [
      `baton answer p-3s43k65n/e2 edit --arguments '{"to":"bob@example.com"}'`,
      "the call of a tool, with other arguments",
    ],
  ]);
}

interface AnswerOptions {
  readonly reason?: string;
  readonly all?: boolean;
  readonly arguments?: JsonObject;
}

function readObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Reported below.
  }
  throw new InvalidArgumentError("Give a JSON object.");
}

type Verdict =
  | { readonly case: "approval"; readonly value: Record<string, never> }
  | { readonly case: "rejection"; readonly value: Rejection };

interface Rejection {
  readonly rewindTargetStage: string;
  readonly instructions: string[];
  readonly unfixable: boolean;
}

async function review(
  session: Session,
  given: string,
  { reason, verdict: asked }: { readonly reason: string; readonly verdict: Verdict },
): Promise<number> {
  const { hub, signal } = session;
  const { pipelineId, stageId, dispatchId } = await findQuestion(hub, given, "review", signal);
  // The consequence of a decision depends on the run before it.
  const { pipeline } = await hub.orchestrator.getPipeline({ pipelineId }, { signal });
  const verdict = pipeline ? withTarget(asked, pipeline, stageId) : asked;
  const request = { pipelineId, stageId, dispatchId, reason, verdict };
  const response = await hub.orchestrator.reviewStage(request, { signal });
  if (session.output !== "text") {
    await session.writeJson(encodeJson(ReviewStageResponseSchema, response));
  } else {
    session.printNote(`${dispatchId} is ${describeDecision(verdict, pipeline)}`);
    if (pipeline) session.printNote(describeConsequence(pipeline, stageId, verdict));
    if (response.pipeline)
      await session.write([renderHeading(session.terminal, response.pipeline, Date.now())]);
  }
  return exitCode.ok;
}

/** Without --to, a rejection goes to the stage under review; of several, the person has to choose. */
function withTarget(verdict: Verdict, pipeline: Pipeline, stageId: string): Verdict {
  if (verdict.case !== "rejection") return verdict;
  const { value } = verdict;
  if (value.rewindTargetStage !== "" || value.unfixable || !canSendBack(pipeline)) return verdict;
  const [target = stageId, ...others] = stagesUnderReview(pipeline, stageId);
  if (others.length > 0)
    throw new CliError("BATON-CLI-001", `the work of ${[target, ...others].join(", ")} is under review`, {
      fix: `name the stage to go back to: ${[target, ...others].map((id) => `--to ${id}`).join(" or ")}`,
    });
  return { ...verdict, value: { ...value, rewindTargetStage: target } };
}

function describeDecision({ case: verdict, value }: Verdict, pipeline: Pipeline | undefined): string {
  if (verdict === "approval") return "approved";
  return value.unfixable || (pipeline && !canSendBack(pipeline)) ? "failed" : "sent back";
}

/** The consequence of a decision, in the words of `baton inbox`. */
function describeConsequence(pipeline: Pipeline, stageId: string, { case: verdict, value }: Verdict): string {
  if (verdict === "approval") return ifApproved(pipeline, stageId);
  if (value.unfixable) return ifFailed(pipeline, stageId);
  return ifRejected(pipeline, stageId, value.rewindTargetStage || stageId);
}

/** An answer may change nothing, such as a retry without a fix: then the same question is open again. */
async function printAskedAgain(session: Session, question: Escalation): Promise<void> {
  const { hub, signal, invocation } = session;
  const { pipelineId } = question;
  const { pipeline } = await hub.orchestrator.getPipeline({ pipelineId }, { signal });
  const open = pipeline === undefined ? [] : await openQuestions(hub, pipeline, signal);
  const again = open.find((one) => isRepeated(one, question));
  if (again === undefined) return;
  const advice = again.snapshot?.recommended;
  session.printNote(
    `the problem persists, so the question is open again: ${again.snapshot?.problem}${advice ? ` (${advice})` : ""}`,
  );
  session.printNote(`after the fix: ${invocation} answer ${again.escalationId} ...`);
}

function isRepeated(one: Escalation, other: Escalation): boolean {
  const isAnother = one.escalationId !== other.escalationId && one.kind === other.kind;
  return isAnother && one.stageId === other.stageId && one.snapshot?.problem === other.snapshot?.problem;
}

/** The run after the answer. */
async function showPipeline({ hub, signal, terminal, write }: Session, question?: Escalation): Promise<void> {
  if (question === undefined) return;
  const { pipelineId } = question;
  const { pipeline } = await hub.orchestrator.getPipeline({ pipelineId }, { signal });
  if (pipeline) await write([renderHeading(terminal, pipeline, Date.now())]);
}
