import { once } from "node:events";
import { connect, createServer } from "node:net";
import { lastingPort } from "@baton/contract/testing/lasting-port";
import { describe, expect, it, onTestFinished } from "vitest";
import { FaultyLine } from "./faulty-proxy.ts";

const message = Buffer.from("a message that is long enough to be cut in its middle, and not a ping");

/** A line to somebody who keeps what comes. */
async function openLine() {
  const heard: Buffer[] = [];
  const [target, near] = [await lastingPort(), await lastingPort()];
  const server = createServer((socket) =>
    socket.on("data", (bytes) => heard.push(bytes)).on("error", () => {}),
  );
  await new Promise<void>((done) => server.listen(target, "127.0.0.1", done));
  const seen = { cuts: 0, delays: 0 };
  const line = await FaultyLine.start(near, target, {
    onCut: () => seen.cuts++,
    onDelay: () => seen.delays++,
  });
  onTestFinished(async () => {
    await line.close();
    server.close();
  });
  const socket = connect(near, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  return { line, socket, seen, text: () => Buffer.concat(heard).toString() };
}

describe("the line between agents and hub", () => {
  it("carries what is said, in fair weather and with delay", async () => {
    const { line, socket, seen, text } = await openLine();
    line.weather.delayMs = 5;
    socket.write(message);
    await expect.poll(text).toBe(message.toString());
    expect(seen).toEqual({ cuts: 0, delays: 1 });
  });

  it("cuts a message in its middle, and ends both sides", async () => {
    const { line, socket, seen, text } = await openLine();
    line.weather.cuts = 1;
    socket.write(message);
    await once(socket, "close");
    await expect.poll(text).toBe(message.toString().slice(0, message.length >> 1));
    expect(seen).toEqual({ cuts: 1, delays: 0 });
  });
});
