import { type Escalation, EscalationKind } from "@baton/contract";
import { escapeJson } from "../terminal/escape.ts";

/** Where an answer goes, and who gives it, in words of the shell. */
export interface AnswerWay {
  readonly hub: URL;
  /** What stands for the key in a command, such as `$BATON_API_KEY`; empty without a key. */
  readonly key: string;
}

const service = "vasini.agent.v1.OrchestratorService";

/** Who may make these calls, where there are keys; docs/reference/api.md has all of them. */
const roles = { ReviewStage: "review", ResolveEscalation: "review or operate" } as const;

/** What a person types to answer a question: a command of ours, or the call of the API where there is none yet. */
export function howToAnswer(question: Escalation, way: AnswerWay): readonly string[] {
  const { kind, escalationId, pipelineId, stageId, dispatchId, snapshot } = question;
  if (kind === EscalationKind.REVIEW) {
    const review = { pipelineId, stageId, dispatchId, reason: "it is as it should be", approval: {} };
    return [
      ...call("ReviewStage", review, way),
      '# or, to send it back, instead of "approval": "rejection":{"instructions":["what to do differently"]}',
    ];
  }
  if (kind === EscalationKind.CLARIFICATION)
    return call("ResolveEscalation", { escalationId, resolution: "YOUR ANSWER" }, way);
  const resolution = snapshot?.options.find((option) => option !== "abort");
  if (resolution === undefined) return [steer("abort", pipelineId)];
  if (resolution === "resume") return [howToResume(pipelineId)];
  return call("ResolveEscalation", { escalationId, resolution }, way);
}

export function howToResume(pipelineId: string): string {
  return steer("resume", pipelineId);
}

function steer(how: string, pipelineId: string): string {
  return `baton pipeline ${how} ${pipelineId} --reason "..."`;
}

/** JSON over HTTP/2, which the address that we know speaks beside gRPC. */
function call(method: keyof typeof roles, request: object, { hub, key }: AnswerWay): readonly string[] {
  const plain = hub.protocol === "http:" ? "--http2-prior-knowledge " : "";
  const authorization = key === "" ? [] : [`  -H "authorization: Bearer ${key}" \\`];
  // Whoever gave the task need not be the one who may answer.
  const role = key === "" ? [] : [`# with a key that has the role ${roles[method]}`];
  return [
    ...role,
    `curl ${plain}${hub.origin}/${service}/${method} \\`,
    ...authorization,
    "  -H 'content-type: application/json' \\",
    `  -d '${escapeJson(JSON.stringify(request)).replaceAll("'", "'\\''")}'`,
  ];
}
