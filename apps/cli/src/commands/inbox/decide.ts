/** The decisions of a person: `approve` and `reject` for reviews, `answer` for other questions. */
import {
  type Escalation,
  encodeJson,
  type Pipeline,
  ResolveEscalationResponseSchema,
  ReviewStageResponseSchema,
} from "@baton/contract/forms";
import { canSendBack, ifApproved, ifFailed, ifRejected, stagesUnderReview } from "@baton/kernel/deciding";
import type { Command } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { findQuestion } from "../../queries/find-question.ts";
import { openQuestions } from "../../queries/list-escalations.ts";
import { type Session, withHub } from "../../session.ts";
import { gather } from "../../task/values.ts";
import { renderHeading } from "../../views/runs/run-view.ts";
import { withExamples } from "../options/examples.ts";

const reviewArgument = "the id of the review, or its run, or RUN/STAGE";

export function addDecisions(program: Command): void {
  addApprove(program);
  addReject(program);
  addAnswer(program);
}

function addApprove(program: Command): void {
  const approve = program
    .command("approve")
    .description("Accepts work that waits for a review by a person. What depends on it goes on.")
    .argument("<review>", reviewArgument)
    .requiredOption("--reason <text>", "why (required); it goes into the record with your name")
    .action((given: string, { reason }: { readonly reason: string }, command: Command) =>
      withHub(command, (session) =>
        review(session, given, { reason, verdict: { case: "approval", value: {} } }),
      ),
    );
  withExamples(approve, [
    ['baton approve p-3s43k65n --reason "read the diff, tried it"', "the one review that it waits for"],
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
      "Sends work back that waits for a review by a person: the stage whose work is under review is done again, with " +
        "your reason and instructions as its feedback, and everything after it. A stage that reviews the work of others " +
        "and changed nothing itself sends back the nearest stage before it that did.",
    )
    .argument("<review>", reviewArgument)
    .requiredOption("--reason <text>", "why (required); it goes into the record with your name")
    .option("--to <stage>", "the stage to go back to (default: the stage whose work is under review)")
    .option("--instruct <text>", "what to do differently; may be repeated", gather)
    .option("--unfixable", "fail the stage, because another attempt is of no use")
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
    [
      'baton reject p-3s43k65n --reason "no tests" --instruct "cover the empty title"',
      "once more, with what to do",
    ],
    ['baton reject p-3s43k65n/review --to implement --reason "..."', "back to an earlier stage"],
  ]);
}

function addAnswer(program: Command): void {
  const answer = program
    .command("answer")
    .description(
      "Answers what an agent or the hub asks: with your words where an agent asks, with one of the options elsewhere.",
    )
    .argument("<question>", reviewArgument.replace("review", "question"))
    .argument("<answer...>", "your answer, or one of its options")
    .option("--reason <text>", "why; it goes into the record with your name")
    .option("--all", "give the same answer to every open question with the same cause")
    .action(
      (
        given: string,
        words: readonly string[],
        { reason = "", all = false }: { readonly reason?: string; readonly all?: boolean },
        command: Command,
      ) =>
        withHub(command, async (session) => {
          const { hub, signal } = session;
          const question = await findQuestion(hub, given, "question", signal);
          const { escalationId } = question;
          const request = { escalationId, resolution: words.join(" "), reason, sameCause: all };
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
    ['baton answer p-3s43k65n "use the small logo"', "the one question that it waits for"],
    ["baton answer p-3s43k65n/e2 retry", "with one of the options that baton inbox shows"],
    ["baton answer p-3s43k65n/e2 retry --all", "the same for everything that waits for the same cause"],
  ]);
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
    `that changed nothing, so it is asked again: ${again.snapshot?.problem}${advice ? ` (${advice})` : ""}`,
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
