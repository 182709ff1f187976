import { type Escalation, EscalationSchema, encodeJson, PipelineSchema } from "@baton/contract";
import type { Delivery, NotificationFormat, PipelineState, Redactor } from "@baton/kernel";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { escalationView } from "../views/escalation-view.ts";
import { pipelineView } from "../views/pipeline-view.ts";

/** Writes the result of a governed task, as its issuer expects it; undefined for other tasks. */
export type ResultBody = (state: PipelineState, delivery: Delivery) => JsonObject | undefined;

export interface BodyOptions {
  readonly redactor: Redactor;
  readonly resultBody: ResultBody | undefined;
  readonly maxBytes: number;
}

/** The body of a message in UTF-8, redacted. The same delivery always has the same content. */
export function bodyOf(
  state: PipelineState,
  delivery: Delivery,
  format: NotificationFormat,
  { redactor, resultBody, maxBytes }: BodyOptions,
): Uint8Array {
  if (format === "slack") return bytesOf({ text: chatText(state, delivery, redactor) });
  const result = delivery.receiver.kind === "address" ? resultBody?.(state, delivery) : undefined;
  if (result !== undefined) return bytesOf(redactor.redactValue(result, "result").value);
  const whole = runEvent(state, delivery, redactor, true);
  return whole.length <= maxBytes ? whole : runEvent(state, delivery, redactor, false);
}

/** Type, time and data, as Standard Webhooks recommends; the run is that of GetPipeline. */
function runEvent(
  state: PipelineState,
  delivery: Delivery,
  redactor: Redactor,
  withResults: boolean,
): Uint8Array {
  const { message: run } = redactor.redactMessage(PipelineSchema, pipelineView(state, { withResults }));
  const questions = questionsOf(state, delivery, redactor).map((one) => encodeJson(EscalationSchema, one));
  const data = [
    `"run":${encodeJson(PipelineSchema, run)}`,
    ...(withResults ? [] : [`"resultsLeftOut":true`]),
    ...(questions.length > 0 ? [`"questions":[${questions.join(",")}]`] : []),
  ];
  const head = { type: `run.${delivery.event}`, timestamp: new Date(state.updatedAtMs).toISOString() };
  return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"data":{${data.join(",")}}}`);
}

function questionsOf(
  state: PipelineState,
  { questions }: Delivery,
  redactor: Redactor,
): readonly Escalation[] {
  return questions.flatMap((id) => {
    const open = state.escalations.get(id);
    if (!open) return [];
    return [redactor.redactMessage(EscalationSchema, escalationView(state, open, undefined)).message];
  });
}

const chatWords = {
  running: ":arrow_forward: is running",
  waiting: ":question: waits for a person",
  completed: ":white_check_mark: completed",
  failed: ":x: failed",
  aborted: ":no_entry_sign: was aborted",
} as const;

const longestChatLine = 500;

/** One line with the run, and one for each question or the reason. */
function chatText(state: PipelineState, delivery: Delivery, redactor: Redactor): string {
  const { life } = state;
  const [icon = "", ...words] = chatWords[delivery.event].split(" ");
  const questions = questionsOf(state, delivery, redactor);
  const plain = (text: string) => escapeChat(redactor.redactText(text).text.slice(0, longestChatLine));
  const why = "reason" in life && life.reason !== "" ? [plain(life.reason)] : [];
  return [
    `${icon} *${plain(state.name || state.id)}* ${words.join(" ")} (run ${plain(state.id)})`,
    ...(questions.length > 0 ? questions.map(({ snapshot }) => plain(snapshot?.problem ?? "")) : why),
  ].join("\n");
}

/** Chats read these as control characters: nobody may mention a channel through the name of a task. */
function escapeChat(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[\r\n]+/g, " ");
}

function bytesOf(value: JsonValue): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
