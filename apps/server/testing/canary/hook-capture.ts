import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, HookReceiver } from "@baton/runtime/testing";
import { onTestFinished } from "vitest";
import type { Capture } from "./capture.ts";

export interface HookCapture {
  readonly url: string;
  /** Waits until results and notifications have come, and keeps everything that came. */
  keep(): Promise<void>;
}

/** A receiver of webhooks, and the file that makes the hub of a story send everything to it. */
export async function captureHooks(folder: string, capture: Capture): Promise<HookCapture> {
  const receiver = await HookReceiver.open();
  onTestFinished(() => receiver.close());
  const secrets = [{ file: "hook-secret" }];
  const events = ["running", "waiting", "completed", "failed", "aborted"];
  const url = (path: string) => `http://127.0.0.1:${receiver.port}/${path}`;
  const webhooks = {
    hosts: ["127.0.0.1"],
    signing: { secrets },
    notifications: [
      { name: "all", url: url("plain"), events, secrets, per_minute: 600 },
      { name: "chat", url: url("chat"), format: "slack", events, per_minute: 600 },
    ],
  };
  mkdirSync(join(folder, "config"), { recursive: true });
  writeFileSync(join(folder, "config", "webhooks.yaml"), JSON.stringify({ webhooks }));
  const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}\n`;
  writeFileSync(join(folder, "config", "hook-secret"), secret, { mode: 0o600 });
  return {
    url: url("result"),
    async keep() {
      for (const path of ["plain", "chat", "result"])
        await eventually(`a message to ${path}`, () =>
          receiver.received.some((one) => one.path.startsWith(`/${path}`)),
        );
      for (const { text, headers } of receiver.received)
        capture.add("webhook", `${JSON.stringify(headers)}\n${text}`);
    },
  };
}
