/** What a person says to what waits for one: `approve` and `reject` for reviews, `answer` for everything else. */
import {
  type Escalation,
  encodeJson,
  type Pipeline,
  ResolveEscalationResponseSchema,
  ReviewStageResponseSchema,
} from "@baton/contract/forms";
import { canSendBack, ifApproved, ifFailed, ifRejected, stagesUnderReview } from "@baton/kernel/deciding";
import type { Command } from "commander";
import { CliError } from "../errors/cli-error.ts";
import { exitCode } from "../exit-code.ts";
import { findQuestion } from "../hub/find-question.ts";
import { openQuestions } from "../hub/list-escalations.ts";
import { type Session, withHub } from "../session.ts";
import { gather } from "../task/values.ts";
import { renderHeading } from "../views/pipeline-view.ts";
import { withExamples } from "./examples.ts";

const which = "the id of the review, or its run, or RUN/STAGE";

export function addDecisions(program: Command): void {
  addApprove(program);
  addReject(program);
  addAnswer(program);
}

function addApprove(program: Command): void {
  const approve = program
    .command("approve")
    .summary("accept work that waits for a review")
    .description("Accepts work that waits for a review by a person. What depends on it goes on.")
    .argument("<review>", which)
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
    .summary("send back work that waits for a review")
    .description(
      "Sends work back that waits for a review by a person: the stage whose work is under review is done again, with " +
        "your reason and instructions as its feedback, and everything after it. A stage that reviews the work of others " +
        "and changed nothing itself sends back the nearest stage before it that did.",
    )
    .argument("<review>", which)
    .requiredOption("--reason <text>", "why (required); it goes into the record with your name")
    .option("--to <stage>", "the stage to go back to (default: the stage whose work is under review)")
    .option("--instruct <text>", "what to do differently; may be given again", gather)
    .option("--unfixable", "another attempt is of no use: the stage fails")
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
    .summary("answer a question that waits for a person")
    .description(
      "Answers what an agent or the hub asks: with your words where an agent asks, with one of the options elsewhere.",
    )
    .argument("<question>", which.replace("review", "question"))
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
            session.tell(
              `answered ${escalationId}${others > 0 ? ` and ${others} more with the same cause` : ""}`,
            );
            await showPipeline(session, response.escalation);
            await tellAskedAgain(session, question);
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
  // What a decision leads to depends on the run as it is before it.
  const { pipeline } = await hub.orchestrator.getPipeline({ pipelineId }, { signal });
  const verdict = pipeline ? withTarget(asked, pipeline, stageId) : asked;
  const request = { pipelineId, stageId, dispatchId, reason, verdict };
  const response = await hub.orchestrator.reviewStage(request, { signal });
  if (session.output !== "text") {
    await session.writeJson(encodeJson(ReviewStageResponseSchema, response));
  } else {
    session.tell(`${dispatchId} is ${doneWith(verdict, pipeline)}`);
    if (pipeline) session.tell(leadsTo(pipeline, stageId, verdict));
    if (response.pipeline) await session.write([renderHeading(session.look, response.pipeline, Date.now())]);
  }
  return exitCode.ok;
}

/** A rejection that names no stage goes to the one whose work is under review. Of several, a person has to choose. */
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

function doneWith({ case: verdict, value }: Verdict, pipeline: Pipeline | undefined): string {
  if (verdict === "approval") return "approved";
  return value.unfixable || (pipeline && !canSendBack(pipeline)) ? "failed" : "sent back";
}

/** What follows from it, as `baton inbox` says beforehand. */
function leadsTo(pipeline: Pipeline, stageId: string, { case: verdict, value }: Verdict): string {
  if (verdict === "approval") return ifApproved(pipeline, stageId);
  if (value.unfixable) return ifFailed(pipeline, stageId);
  return ifRejected(pipeline, stageId, value.rewindTargetStage || stageId);
}

/** An answer may change nothing, such as another try with nothing mended: then the same is asked anew. */
async function tellAskedAgain(session: Session, question: Escalation): Promise<void> {
  const { hub, signal, way } = session;
  const { pipelineId } = question;
  const { pipeline } = await hub.orchestrator.getPipeline({ pipelineId }, { signal });
  const open = pipeline === undefined ? [] : await openQuestions(hub, pipeline, signal);
  const again = open.find((one) => isSame(one, question));
  if (again === undefined) return;
  const advice = again.snapshot?.recommended;
  session.tell(
    `that changed nothing, so it is asked again: ${again.snapshot?.problem}${advice ? ` (${advice})` : ""}`,
  );
  session.tell(`when it is mended: ${way} answer ${again.escalationId} ...`);
}

function isSame(one: Escalation, other: Escalation): boolean {
  const isAnother = one.escalationId !== other.escalationId && one.kind === other.kind;
  return isAnother && one.stageId === other.stageId && one.snapshot?.problem === other.snapshot?.problem;
}

/** What became of it: the pipeline as it is now. */
async function showPipeline({ hub, signal, look, write }: Session, question?: Escalation): Promise<void> {
  if (question === undefined) return;
  const { pipelineId } = question;
  const { pipeline } = await hub.orchestrator.getPipeline({ pipelineId }, { signal });
  if (pipeline) await write([renderHeading(look, pipeline, Date.now())]);
}
