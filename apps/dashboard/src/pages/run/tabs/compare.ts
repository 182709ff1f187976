import {
  ArtifactAction,
  type AttemptSummary,
  type ContextIn,
  type GetAttemptResponse,
  type ReviewFeedback,
} from "@baton/contract/messages";
import { failureOf, pairChecks } from "./evidence.ts";

/** The selected attempt and its predecessor, or for the first attempt its successor. The older comes first. */
export function pairOf(
  attempts: readonly AttemptSummary[],
  chosen: AttemptSummary | undefined,
): readonly [older: AttemptSummary, newer: AttemptSummary] | undefined {
  const place = attempts.findIndex(({ dispatchId }) => dispatchId === chosen?.dispatchId);
  if (place < 0) return undefined;
  const [older, newer] = attempts.slice(Math.max(0, place - 1));
  return older && newer && [older, newer];
}

/** The parts of the envelope that can differ between attempts, as lines. */
export function briefingText({ envelope, dispatch }: GetAttemptResponse): string {
  if (!envelope) return "";
  const { contextIn, reviewFeedback, clarifications, refs, inputs } = envelope;
  return [
    ...(contextIn ? contextLines(contextIn) : []),
    ...(dispatch?.omittedContext.map((text) => `left out: ${text}`) ?? []),
    ...(reviewFeedback ? feedbackLines(reviewFeedback) : []),
    ...clarifications.map(({ question, answer }) => `asked: ${question}\nanswered: ${answer}`),
    ...refs.map(
      ({ uriOrLocator, versionOrSha, digest }) => `reference: ${uriOrLocator} ${versionOrSha || digest}`,
    ),
    ...(inputs ? [`inputs: ${JSON.stringify(inputs, undefined, 2)}`] : []),
  ].join("\n");
}

function contextLines({
  sharedContext,
  taskDelta,
  decisionMemo,
  criticalSnippets,
  unresolvedAssumptions,
}: ContextIn) {
  return [
    ...(sharedContext === "" ? [] : [`background: ${sharedContext}`]),
    ...(taskDelta === "" ? [] : [`for this task: ${taskDelta}`]),
    ...(decisionMemo?.decisions.map(({ description }) => `earlier decision: ${description}`) ?? []),
    ...criticalSnippets.map(({ path, startLine, endLine }) => `snippet: ${path}:${startLine}–${endLine}`),
    ...unresolvedAssumptions.map((text) => `assumed: ${text}`),
  ];
}

function feedbackLines({
  rejectedAttempt,
  rejectedByStage,
  failedChecks,
  priorContext,
  instructions,
}: ReviewFeedback) {
  return [
    `attempt ${rejectedAttempt} was sent back by ${rejectedByStage}`,
    ...failedChecks.flatMap((failed) => [
      `${failed.checkName}: ${failureOf(failed)}`,
      ...failed.evidence.split("\n").map((line) => `    ${line}`),
    ]),
    ...(priorContext?.decisionsMade.map(({ description }) => `decided: ${description}`) ?? []),
    ...instructions.map((text) => `instruction: ${text}`),
  ];
}

export function artifactsText({ result }: GetAttemptResponse): string {
  if (!result) return "";
  const { artifacts, contextOut, commitSha } = result;
  return [
    ...artifacts.map(
      ({ path, action, digest }) => `${ArtifactAction[action]?.toLowerCase()} ${path} ${digest}`,
    ),
    ...(commitSha === "" ? [] : [`commit ${commitSha}`]),
    ...(contextOut?.decisionsMade.map(({ description }) => `decided: ${description}`) ?? []),
    ...(contextOut?.risksIdentified.map((risk) => `risk: ${risk}`) ?? []),
  ].join("\n");
}

export function checksText(attempt: GetAttemptResponse): string {
  return pairChecks(attempt)
    .filter(({ verdict }) => verdict !== "not-applicable")
    .flatMap(({ name, verdict, command, claimed, seen }) => [
      `${name}: ${verdict} ${command}`,
      ...(claimed ? [`  claimed: ${claimed.passed ? "passes" : "fails"}`] : []),
      ...(seen ? seen.output.split("\n").map((line) => `  ${line}`) : []),
    ])
    .join("\n");
}
