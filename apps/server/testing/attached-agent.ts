import { HealthStatus, RegistryService, RiskTier, type TaskEnvelope } from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";

type Report =
  Parameters<ReturnType<typeof registry>["attachAgent"]>[0] extends AsyncIterable<infer Sent> ? Sent : never;

function registry(baseUrl: string) {
  const sessionManager = new Http2SessionManager(baseUrl);
  onTestFinished(() => sessionManager.abort());
  return createClient(RegistryService, createGrpcTransport({ baseUrl, sessionManager }));
}

/** An agent at a real hub that does whatever it is given; resolves when it is let in. Gives what it was sent. */
export async function attachAgent(
  grpc: string,
  packId: string,
  ...taskTypes: readonly string[]
): Promise<readonly TaskEnvelope[]> {
  const received: TaskEnvelope[] = [];
  const manifest = {
    ...{ packId, packVersion: "1.0.0", supportedTaskTypes: [...taskTypes], capabilitySchemaVersion: "1.0.0" },
    safetyTier: RiskTier.CRITICAL,
    interface: { supportedSchemaVersions: ["1.x"], acceptedRiskTiers: ["LOW", "NORMAL", "CRITICAL"] },
  };
  const heartbeat = {
    ...{ packId, instanceId: `${packId}-1`, packVersion: "1.0.0" },
    health: { status: HealthStatus.HEALTHY },
    capacity: { maxTasks: 1 },
    leaseTtl: { seconds: 600n },
  };
  const sending: Report[] = [{ sequence: 1n, message: { case: "hello", value: { manifest, heartbeat } } }];
  let wake = () => {};
  async function* reports(): AsyncGenerator<Report> {
    for (;;) {
      yield* sending.splice(0);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  const { promise, resolve, reject } = Promise.withResolvers<readonly TaskEnvelope[]>();
  let sequence = 1n;
  const listen = async () => {
    for await (const { message } of registry(grpc).attachAgent(reports())) {
      if (message.case === "welcome") resolve(received);
      if (message.case !== "dispatch") continue;
      received.push(message.value);
      sequence++;
      sending.push({ sequence, message: { case: "result", value: resultFor(message.value) } });
      wake();
    }
  };
  listen().catch(reject);
  promise.catch(() => {});
  return promise;
}
