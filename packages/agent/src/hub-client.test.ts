import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { Code } from "@connectrpc/connect";
import { expect, it, onTestFinished, vi } from "vitest";
import { connectToHub } from "./hub-client.ts";
import { limits } from "./limits.ts";

it("fails a call at its deadline when the hub sends GOAWAY and closes at the same time", async () => {
  const server = createServer();
  const cutOff = new Promise<void>((resolve) =>
    server.on("stream", (stream) => {
      stream.session?.goaway(0, stream.id);
      stream.session?.close();
      stream.once("close", resolve).close(0);
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const hub = connectToHub({ hub: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  onTestFinished(() => {
    vi.useRealTimers();
    hub.disconnect();
    server.close();
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const failed = expect(hub.registry.registerAgent({})).rejects.toMatchObject({
    code: Code.DeadlineExceeded,
  });
  await cutOff;
  await vi.advanceTimersByTimeAsync(limits.answerMs);
  await failed;
});
