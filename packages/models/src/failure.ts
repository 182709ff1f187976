import type { CatalogueModel, ModelProvider } from "@baton/kernel";
import { APICallError } from "ai";
import { limits } from "./limits.ts";

/** Why a call has no answer; part of the failure code of a result. */
export type FailureKind = keyof typeof kinds;

interface KindOf {
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Whether another model may be asked instead. */
  readonly fallsBack: boolean;
}

const kinds = {
  MODEL_OVERLOADED: { retryable: true, fallsBack: true },
  MODEL_UNREACHABLE: { retryable: true, fallsBack: true },
  MODEL_TIMED_OUT: { retryable: true, fallsBack: true },
  MODEL_STREAM_CUT: { retryable: true, fallsBack: true },
  MODEL_QUOTA_SPENT: { retryable: false, fallsBack: true },
  MODEL_KEY_REFUSED: { retryable: false, fallsBack: true },
  MODEL_KEY_MISSING: { retryable: false, fallsBack: true },
  MODEL_UNKNOWN: { retryable: false, fallsBack: true },
  MODEL_CONTEXT_OVERFLOW: { retryable: false, fallsBack: true },
  MODEL_REFUSED: { retryable: false, fallsBack: false },
  MODEL_REQUEST_INVALID: { retryable: false, fallsBack: false },
  /** In tests, by recordings and scripts. */
  MODEL_NOT_SCRIPTED: { retryable: false, fallsBack: false },
  MODEL_TEXT_TOO_LONG: { retryable: false, fallsBack: false },
  /** An MCP server. */
  TOOLS_UNAVAILABLE: { retryable: true, fallsBack: false },
  TOOLS_UNUSABLE: { retryable: false, fallsBack: false },
} as const satisfies Record<string, KindOf>;

/** A model call without an answer. Its message names the setting to change where there is one. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly kind: FailureKind;
  /** What the provider asks to wait. */
  readonly waitMs: number | undefined;

  constructor(kind: FailureKind, message: string, waitMs?: number) {
    super(message);
    this.kind = kind;
    this.waitMs = waitMs;
  }

  get retryable(): boolean {
    return kinds[this.kind].retryable;
  }

  get fallsBack(): boolean {
    return kinds[this.kind].fallsBack;
  }
}

export function missingKey({ id }: ModelProvider, variable: string): ModelFailure {
  return new ModelFailure("MODEL_KEY_MISSING", `provider "${id}" has no key: set ${variable} for the hub`);
}

/** Who was asked, for messages. */
export interface Asked {
  readonly model: CatalogueModel;
  readonly provider: ModelProvider;
}

/** What an error of the AI SDK or of a stream means. */
export function failureOf(error: unknown, asked: Asked): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const { model, provider } = asked;
  if (error instanceof Error && error.name === "AI_ToolChoiceViolationError")
    return new ModelFailure(
      "MODEL_REQUEST_INVALID",
      `model "${model.id}" called a tool when none was offered`,
    );
  const { status, text, waitMs, code } = detailsOf(error);
  const who = `provider "${provider.id}"`;
  const answered = status === undefined ? `${who} reported` : `${who} answered ${status}`;
  const fail = (kind: FailureKind, fix = "") =>
    new ModelFailure(kind, `${answered}: ${text}${fix && `; ${fix}`}`, waitMs);
  if (status === 401 || status === 403)
    return fail("MODEL_KEY_REFUSED", `set ${provider.keyEnv ?? "key_env of the provider"} to a valid key`);
  if (isOverflow(status, code, text))
    return fail(
      "MODEL_CONTEXT_OVERFLOW",
      `shorten the prompt or the task, or use a model with a larger context_window than that of "${model.id}"`,
    );
  if (status === 404 || /model_not_found/.test(code))
    return fail("MODEL_UNKNOWN", `correct models[].model of "${model.id}" in config/models.yaml`);
  if (/insufficient_quota|billing/.test(code)) return fail("MODEL_QUOTA_SPENT", "raise the quota there");
  if (status === 429 || status === 529 || status === 503 || /overloaded|rate_limit/.test(code))
    return fail("MODEL_OVERLOADED");
  if (status !== undefined && (status >= 500 || status === 408 || status === 409))
    return fail("MODEL_UNREACHABLE");
  if (status !== undefined && status >= 400) return fail("MODEL_REQUEST_INVALID");
  return new ModelFailure(
    "MODEL_UNREACHABLE",
    `${who} could not be reached, or ended its answer early: ${text}`,
  );
}

const overflows =
  /context_length_exceeded|prompt is too long|maximum context length|context window|input is too long|too many (input )?tokens/i;

function isOverflow(status: number | undefined, code: string, text: string): boolean {
  return status === 413 || ((status === 400 || status === undefined) && overflows.test(`${code} ${text}`));
}

interface Details {
  readonly status: number | undefined;
  readonly text: string;
  readonly code: string;
  readonly waitMs: number | undefined;
}

function detailsOf(error: unknown): Details {
  const given = isRecord(error) ? error : {};
  // An answer that broke off carries the status of its beginning.
  const status =
    typeof given.statusCode === "number" && given.statusCode >= 400 ? given.statusCode : undefined;
  const headers = APICallError.isInstance(error) ? error.responseHeaders : undefined;
  const data = [given.data, isRecord(given.data) ? given.data.error : undefined].filter(isRecord);
  const code = data
    .flatMap(({ type, code: named }) => [type, named])
    .filter((one) => typeof one === "string");
  const cause = isRecord(given.cause) && typeof given.cause.message === "string" ? given.cause.message : "";
  const message = typeof given.message === "string" ? given.message : String(error);
  const whole = cause === "" || message.includes(cause) ? message : `${message}: ${cause}`;
  return { status, code: code.join(" "), text: shorten(whole), waitMs: waitOf(headers) };
}

/** In milliseconds, from `retry-after-ms`, or from `retry-after` in seconds or as a date. */
export function waitOf(headers: Readonly<Record<string, string>> = {}): number | undefined {
  const exact = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && exact >= 0) return exact;
  const plain = headers["retry-after"];
  if (plain === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(plain)) return Number(plain) * 1_000;
  const at = Date.parse(plain);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= limits.reasonLength ? line : `${line.slice(0, limits.reasonLength).toWellFormed()}…`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
