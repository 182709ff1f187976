import { Outcome } from "@baton/contract";
import { describe, expect, it } from "vitest";
import type { Scripted, ScriptedStream } from "../../testing/index.ts";
import { waitOf } from "../failure.ts";
import { answer, run, success } from "../testing/run-model.ts";

const kinds = ["anthropic", "openai", "openai-compatible"] as const;
const overloaded: Scripted = { status: 529, message: "Overloaded", headers: { "retry-after-ms": "20" } };
const text = answer({ status: "success" });
/** More than what is gathered before it is published. */
const long = `${" ".repeat(2_000)}`;
const failing = (stream: ScriptedStream, first = ""): Scripted => ({ text: [`${first}{`, text], stream });

describe.each(kinds)("calls by %s", (kind) => {
  it("[SAC-12] wait as long as the provider asks, and try again", async () => {
    const headers = { "retry-after-ms": "300", "retry-after": "60" };
    const { result, requests } = await run([{ status: 429, headers, message: "slow down" }, success], {
      kind,
    });
    expect(result.status?.outcome).toBe(Outcome.SUCCESS);
    const [first, second] = requests.map(({ atMs }) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(290);
  });

  it("[SAC-12] end as a retryable failure when the provider asks for more time than the attempt has", async () => {
    const { result, requests } = await run(
      [{ status: 429, headers: { "retry-after": "3600" }, message: "slow" }],
      {
        ...{ kind, envelope: { timeoutMs: 60_000 } },
      },
    );
    expect(requests.length).toBe(1);
    expect(result.status).toMatchObject({
      ...{ outcome: Outcome.RETRYABLE_FAILURE, failureCode: "MODEL_OVERLOADED" },
      failureReason: 'provider "local" answered 429: slow',
    });
  });

  it("[SAC-12] try an overload inside of a stream again while nothing of it was published", async () => {
    const { result, requests } = await run([failing({ errorAfter: 0 }), success], { kind });
    expect(result.status?.outcome).toBe(Outcome.SUCCESS);
    expect(requests.length).toBe(2);
  });

  it("[SAC-12] do not repeat a stream that was published, and fail retryably", async () => {
    const { result, requests, events } = await run([failing({ errorAfter: 1 }, long), success], { kind });
    expect(requests.length).toBe(1);
    expect(result.status).toMatchObject({
      outcome: Outcome.RETRYABLE_FAILURE,
      failureCode: "MODEL_OVERLOADED",
    });
    expect(events.some(({ payload }) => payload.case === "thoughtStream")).toBe(true);
  });

  it.each<[string, ScriptedStream]>([
    ["is cut", { cutAfter: 0 }],
    ["is cut inside of an event", { cutAfter: 0, inEvent: true }],
    ["ends without the events that complete it", { endAfter: 0 }],
  ])("[SAC-12] try again when a stream %s", async (_what, stream) => {
    const { result, requests } = await run([failing(stream), success], { kind });
    expect(result.status?.outcome).toBe(Outcome.SUCCESS);
    expect(requests.length).toBe(2);
    const later = Object.fromEntries(
      Object.entries(stream).map(([name, value]) => [name, value === 0 ? 1 : value]),
    );
    const published = await run([failing(later, long), success], { kind });
    expect(published.requests.length).toBe(1);
    expect(published.result.status?.outcome).toBe(Outcome.RETRYABLE_FAILURE);
  });

  it("[SAC-12] read streams in single bytes, with events and comments that nobody knows", async () => {
    const torn = await run([{ text: [text.slice(0, 5), text.slice(5)], stream: { tornEvents: true } }], {
      kind,
    });
    expect(torn.result.status?.outcome).toBe(Outcome.SUCCESS);
    const unknown = await run([{ text: [text.slice(0, 5), text.slice(5)], stream: { unknownParts: true } }], {
      kind,
    });
    expect(unknown.requests.length).toBe(1);
    expect(unknown.result.status?.outcome).toBe(Outcome.SUCCESS);
  });

  it.each([
    ["UTF-16", "text/event-stream; charset=utf-16le", {}],
    ["a compression that it does not have", "text/event-stream", { "content-encoding": "gzip" }],
  ])("[SAC-12] try a stream in another encoding again: %s", async (_name, type, more) => {
    const body = `data: ${text}\n\n`.replaceAll(/./gs, (letter) => `${letter}\0`);
    const headers = { "content-type": type, ...more };
    const { result, requests } = await run([{ status: 200, body, headers }, success], { kind });
    expect(requests.length).toBe(2);
    expect(result.status?.outcome).toBe(Outcome.SUCCESS);
  });

  it("[SAC-12] try again when a stream does not begin within the time of the provider", async () => {
    const script = (_request: unknown, index: number) =>
      index === 0 ? failing({ firstDelayMs: 60_000 }) : success;
    const { result } = await run(script, { kind, provider: { timeouts: { first_token: "1s" } } });
    expect(result.status?.outcome).toBe(Outcome.SUCCESS);
  });

  it.each<[string, ScriptedStream]>([
    ["pauses", { hangAfter: 1 }],
    ["only pings", { hangAfter: 1, pingEveryMs: 10 }],
  ])("[SAC-12] end a stream that %s, and name the setting", async (_what, stream) => {
    const { result } = await run([failing(stream, long)], {
      kind,
      provider: { timeouts: { silence: "300ms" } },
    });
    expect(result.status).toMatchObject({
      ...{ outcome: Outcome.RETRYABLE_FAILURE, failureCode: "MODEL_TIMED_OUT" },
      failureReason: expect.stringContaining("timeouts.silence in config/models.yaml"),
    });
  });

  it("[SAC-12] end a stream that never ends, and name the setting", async () => {
    const { result } = await run(
      () => ({ text: Array.from({ length: 10_000 }, () => "x"), stream: { pieceDelayMs: 20 } }),
      { kind, provider: { timeouts: { call: "500ms" } } },
    );
    expect(result.status).toMatchObject({
      ...{ outcome: Outcome.RETRYABLE_FAILURE, failureCode: "MODEL_TIMED_OUT" },
      failureReason: expect.stringContaining("timeouts.call in config/models.yaml"),
    });
  });

  it.each<[string, Scripted, string, RegExp]>([
    [
      "a bad key",
      { status: 401, message: "invalid key" },
      "MODEL_KEY_REFUSED",
      /set MODEL_KEY to a valid key/,
    ],
    [
      "an unknown model",
      { status: 404, message: "model: large" },
      "MODEL_UNKNOWN",
      /models\[\]\.model of "large"/,
    ],
    [
      "a context overflow",
      { status: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" },
      ...(["MODEL_CONTEXT_OVERFLOW", /larger context_window than that of "large"/] as const),
    ],
    [
      "an invalid request",
      { status: 400, message: "temperature: must be 1" },
      "MODEL_REQUEST_INVALID",
      /temperature/,
    ],
    [
      "a refusal",
      { text: "I cannot help with that.", stop: "refusal" },
      "MODEL_REFUSED",
      /refused to answer: .*I cannot/,
    ],
  ])("[SAC-12] name what to change for %s", async (_what, scripted, failureCode, failureReason) => {
    const { result, requests } = await run([scripted], { kind });
    expect(requests.length).toBe(1);
    expect(result.status).toMatchObject({
      ...{ outcome: Outcome.NON_RETRYABLE_FAILURE, failureCode },
      failureReason: expect.stringMatching(failureReason),
    });
  });

  it("[SAC-12] never put the key into a failure, though the provider repeats it", async () => {
    const key = "key-0123456789abcdef";
    const { result, events, turns } = await run([{ status: 401, message: `wrong key ${key}` }], { kind });
    expect(JSON.stringify([result.status, result.response, events.length, turns.length])).not.toContain(key);
    expect(result.status?.failureReason).toContain("[redacted:");
  });

  it("[SAC-12] try the fallback models in order", async () => {
    const script = ({ model }: { readonly model: string }): Scripted =>
      model === "small" ? success : overloaded;
    const { result, requests } = await run(script, { kind, model: { fallback_models: ["small"] } });
    expect(result.status?.outcome).toBe(Outcome.SUCCESS);
    expect(requests.map(({ model }) => model)).toEqual(["large", "large", "small"]);
  });
});

it("[SAC-12] a provider without a key is not called, and the variable is named", async () => {
  const { result, requests } = await run([success], { provider: { key_env: "OTHER_KEY" } });
  expect(requests).toEqual([]);
  expect(result.status).toMatchObject({
    ...{ outcome: Outcome.NON_RETRYABLE_FAILURE, failureCode: "MODEL_KEY_MISSING" },
    failureReason: 'provider "local" has no key: set OTHER_KEY for the hub',
  });
});

it("[SAC-12] an answer beyond the limit ends the call", async () => {
  const piece = "x".repeat(1024 * 1024);
  const { result } = await run([{ text: Array.from({ length: 9 }, () => piece) }]);
  expect(result.status).toMatchObject({
    ...{ outcome: Outcome.NON_RETRYABLE_FAILURE, failureCode: "MODEL_TEXT_TOO_LONG" },
    failureReason: expect.stringContaining("lower max_output_tokens"),
  });
});

it("[SAC-12] no more calls are made at once than the provider allows", async () => {
  let open = 0;
  let most = 0;
  const script = async (): Promise<Scripted> => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 30));
    open--;
    return success;
  };
  const { runAgain } = await run(script, { provider: { concurrency: 2 } });
  await Promise.all(Array.from({ length: 6 }, () => runAgain()));
  expect(most).toBe(2);
});

it.each([
  [{ "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": new Date(Date.now() - 5_000).toUTCString() }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{}, undefined],
])("[SAC-12] reads how long to wait from %j", (headers, ms) => {
  expect(waitOf(headers as Readonly<Record<string, string>>)).toBe(ms);
});
