import { once } from "node:events";
import { connect, createServer } from "node:net";
import { lastingPort } from "@baton/contract/testing/lasting-port";
import { describe, expect, it, onTestFinished } from "vitest";
import { FaultyProxy } from "./faulty-proxy.ts";

const message = Buffer.from("a message that is longer than a ping, and is cut in the middle");

/** A proxy to a server that collects what it receives. */
async function openProxy() {
  const received: Buffer[] = [];
  const [target, near] = [await lastingPort(), await lastingPort()];
  const server = createServer((socket) =>
    socket.on("data", (bytes) => received.push(bytes)).on("error", () => {}),
  );
  await new Promise<void>((done) => server.listen(target, "127.0.0.1", done));
  const seen = { cuts: 0, delays: 0 };
  const proxy = await FaultyProxy.start(near, target, {
    onCut: () => seen.cuts++,
    onDelay: () => seen.delays++,
  });
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  const socket = connect(near, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  return { proxy, socket, seen, text: () => Buffer.concat(received).toString() };
}

describe("the proxy between agents and hub", () => {
  it("forwards bytes, also with a delay", async () => {
    const { proxy, socket, seen, text } = await openProxy();
    proxy.faults.delayMs = 5;
    socket.write(message);
    await expect.poll(text).toBe(message.toString());
    expect(seen).toEqual({ cuts: 0, delays: 1 });
  });

  it("cuts a message in the middle, and ends both connections", async () => {
    const { proxy, socket, seen, text } = await openProxy();
    proxy.faults.cuts = 1;
    socket.write(message);
    await once(socket, "close");
    await expect.poll(text).toBe(message.toString().slice(0, message.length >> 1));
    expect(seen).toEqual({ cuts: 1, delays: 0 });
  });
});
