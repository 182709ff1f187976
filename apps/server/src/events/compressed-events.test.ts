import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { createGunzip, gunzipSync } from "node:zlib";
import { type WatchEventsRequest, WatchEventsResponseSchema } from "@baton/contract";
import { type ChangeHint, type Hub, HubError } from "@baton/runtime";
import { eventually } from "@baton/runtime/testing";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { hubDouble } from "../../testing/hub-double.ts";
import { type RunningServer, runServer } from "../../testing/running-server.ts";

const eventId = "6f1c9a52-3f43-4e0c-9f0a-3a5d2f0f6a11";

/** One event of so many characters, and of that what no two have in common. */
function record(sequence: bigint, characters = 10) {
  const line = `${sequence} `.padEnd(characters, `naïve ${sequence} `);
  const payload = { case: "sandboxPulse", value: { line, timestamp: { seconds: 1n } } } as const;
  const value = { sequence, pipelineId: "p-1", event: { eventId, sessionId: "s-1", payload } };
  return create(WatchEventsResponseSchema, { message: { case: "record", value } });
}

function caughtUp(sequence: bigint) {
  return create(WatchEventsResponseSchema, { message: { case: "caughtUp", value: { sequence } } });
}

/** Asked for as a client does that takes the bytes as they are. */
async function ask(server: RunningServer, encoding: string | undefined, path = "/v1/events?after=0") {
  const request = get(`${server.httpAddress}${path}`, {
    headers: encoding === undefined ? {} : { "accept-encoding": encoding },
  });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await response.toArray());
}

/** Reads on and on. `ended` is refused when the stream breaks off, or when its checksum is another. */
function follow(response: IncomingMessage) {
  const plain = response.pipe(createGunzip()).setEncoding("utf8");
  const read = { seen: "", ended: once(plain, "end") };
  read.ended.catch(() => undefined);
  plain.on("data", (piece) => {
    read.seen += piece;
  });
  return read;
}

function watchedBy(watch: Hub["watchTogether"], more: Partial<Hub> = {}): Hub {
  return hubDouble({ watchTogether: watch, ...more });
}

describe("compressed events", () => {
  it("[TUR-04] say byte for byte what plain ones say, whatever their size, in fewer bytes", async () => {
    const sizes = [10, 2_000, 5_000, 15_900, 17_000, 120_000];
    const shared = sizes.map((size, place) => [
      record(BigInt(place * 2 + 1), size),
      record(BigInt(place * 2 + 2)),
    ]);
    const hub = watchedBy(async function* () {
      yield* shared;
      yield [caughtUp(12n)];
    });
    const server = await runServer(hub);
    const plain = await ask(server, undefined);
    const answers = await Promise.all(Array.from({ length: 3 }, () => ask(server, "gzip")));
    expect(plain.headers).not.toHaveProperty("content-encoding");
    const text = await readAll(plain);
    for (const answer of answers) {
      expect(answer.headers).toMatchObject({
        ...{ "content-encoding": "gzip", "content-type": "text/event-stream", "cache-control": "no-store" },
      });
      const bytes = await readAll(answer);
      expect(bytes.length).toBeLessThan(text.length / 5);
      expect(gunzipSync(bytes).toString()).toBe(text.toString());
    }
    expect(text.toString()).toMatch(/^retry: \d+\n\nid: 1\nevent: record\n/);
  });

  it.each([
    [undefined, undefined],
    ["gzip, deflate, br, zstd", "gzip"],
    ["GZIP;q=0.2", "gzip"],
    ["*", "gzip"],
    ["gzip;q=0", undefined],
    ["br", undefined],
  ])(
    "[TUR-04] are sent to clients that accept %s as %s, and caches learn that it depends",
    async (accepted, sent) => {
      const server = await runServer(watchedBy(async function* () {}));
      const answer = await ask(server, accepted);
      expect(answer.headers["content-encoding"]).toBe(sent);
      expect(answer.headers.vary).toBe("accept-encoding");
    },
  );

  it("[TUR-04] are sent to the page of an allowed origin, and caches learn of it as well", async () => {
    const hub = watchedBy(async function* () {});
    const server = await runServer(hub, { allowedOrigins: ["https://board.example"] });
    const headers = { origin: "https://board.example" };
    const answer = await fetch(`${server.httpAddress}/v1/events`, { headers });
    expect(answer.headers.get("vary")).toBe("origin, accept-encoding");
    expect(answer.headers.get("content-encoding")).toBe("gzip");
  });

  it("[TUR-04] leave an error before the stream as it is, and end the stream with one that comes later", async () => {
    const hub = watchedBy(async function* () {
      yield [caughtUp(1n)];
      throw new HubError("invalid", "BATON-HUB-001", "there is no such field", { fix: "use another" });
    });
    const server = await runServer(hub);
    const refused = await ask(server, "gzip", "/v1/events?after=x");
    expect([refused.statusCode, refused.headers["content-encoding"]]).toEqual([400, undefined]);
    expect(JSON.parse((await readAll(refused)).toString())).toMatchObject({ code: "invalid_argument" });
    const text = gunzipSync(await readAll(await ask(server, "gzip"))).toString();
    expect(text).toMatch(/event: error\ndata: \{"code":"BATON-HUB-001".*\n\n$/);
  });

  it("[TUR-04] come as they happen, with signs of life and change hints between them, and end whole when the hub stops", async () => {
    let publish: (changeHint: ChangeHint) => void = () => {};
    const next = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const hub = watchedBy(
      async function* (_, __, signal) {
        yield [caughtUp(0n)];
        await next[0].promise;
        yield [record(1n, 100_000)];
        await next[1].promise;
        yield [record(2n)];
        if (!signal.aborted) await once(signal, "abort");
      },
      {
        onChangeHint(_, listener) {
          publish = listener;
          return () => {};
        },
      },
    );
    const server = await runServer(hub, { limits: { heartbeatMs: 20 } });
    const read = follow(await ask(server, "gzip", "/v1/events?after=0&stirs=1"));
    const received = (text: string) => eventually(text, () => read.seen.includes(text));
    await received(": alive");
    // The longest there can be: more than one stored block holds.
    const pipelines = Array.from({ length: 100 }, (_, place) => `${place} `.padEnd(256, "界"));
    publish({ pipelines, inbox: true, fleet: false });
    await received("event: stir");
    next[0].resolve();
    await received("id: 1\n");
    publish({ pipelines: ["p-9"], inbox: false, fleet: true });
    await received('"fleet":true');
    next[1].resolve();
    await received("id: 2\n");
    await server.close(1_000);
    await read.ended;
    const blocks = read.seen.split("\n\n");
    expect(blocks.at(-1)).toBe("");
    expect(
      blocks.filter((block) => block.startsWith("event: stir")).map((block) => JSON.parse(block.slice(18))),
    ).toEqual([
      { pipelines, many: false, inbox: true, fleet: false },
      { pipelines: ["p-9"], many: false, inbox: false, fleet: true },
    ]);
  });

  it("[TUR-04] go on after the last one that was seen", async () => {
    const asked: WatchEventsRequest[] = [];
    const all = [1n, 2n, 3n, 4n].map((sequence) => [record(sequence, 20_000)]);
    const hub = watchedBy(async function* (_, request) {
      asked.push(request);
      yield* all.slice(Number(request.afterSequence));
    });
    const server = await runServer(hub);
    const answer = await fetch(`${server.httpAddress}/v1/events?after=0`, {
      headers: { "last-event-id": "2" },
    });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect([...(await answer.text()).matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(["3", "4"]);
    expect(asked.map(({ afterSequence }) => afterSequence)).toEqual([2n]);
  });
});
