import { AgentTransport, HealthStatus, schemaVersion } from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { AgentUnderTest } from "../agent-under-test.ts";
import type { AttachedAgent } from "../attached-agent.ts";
import type { CalledAgent } from "../called/called-agent.ts";
import type { Case } from "../case.ts";
import { expectEqual, expectThat, Skipped } from "../failed.ts";
import type { AgentStream } from "../hub/agent-stream.ts";
import type { HubSide } from "../hub/hub-side.ts";
import { limits } from "../limits.ts";
import { taskTypes } from "../tasks.ts";

/** What an agent reports of itself (A §3.1 layers 1 and 2). That it is valid is checked with every message. */
export function introductionCases(agent: AgentUnderTest): Case[] {
  return [
    {
      id: "manifest",
      title: "makes a valid manifest known, with the suite's types of task",
      async run() {
        const { supportedTaskTypes, capabilitySchemaVersion, interface: spoken } = manifestOf(agent);
        const missing = taskTypes.filter((type) => !supportedTaskTypes.includes(type));
        expectThat(
          missing.length === 0,
          `${taskTypes.join(", ")} in supported_task_types`,
          `no ${missing.join(", ")}`,
        );
        const isVersion = /^\d+\.\d+\.\d+/.test(capabilitySchemaVersion);
        expectThat(isVersion, "a capability_schema_version such as 1.0.0", capabilitySchemaVersion || "none");
        const ranges = spoken?.supportedSchemaVersions ?? [];
        expectThat(ranges.length > 0, `supported_schema_versions such as ^${schemaVersion}`, "none");
      },
    },
    {
      id: "heartbeat",
      title: "states its identity, health and capacity in a heartbeat",
      async run() {
        const manifest = manifestOf(agent);
        const { heartbeat } = agent.profile;
        expectEqual("the heartbeat's pack_id", heartbeat?.packId, manifest.packId);
        expectEqual("the heartbeat's pack_version", heartbeat?.packVersion, manifest.packVersion);
        const status = heartbeat?.health?.status ?? HealthStatus.UNSPECIFIED;
        expectThat(status !== HealthStatus.UNSPECIFIED, "a health.status", "none");
        expectThat(
          agent.profile.capacity >= 1,
          "a capacity.max_tasks of 1 or more",
          `${agent.profile.capacity}`,
        );
        expectThat(heartbeat?.heartbeatAt !== undefined, "heartbeat_at", "none");
      },
    },
  ];
}

export function heartbeatsCase(agent: AttachedAgent): Case {
  return {
    id: "heartbeats",
    title: "sends heartbeats as often as the welcome says",
    async run() {
      const { heartbeats: wanted, heartbeatMs } = limits;
      const { stream } = agent;
      const before = heartbeatsOn(stream).length;
      const since = () => heartbeatsOn(stream).slice(before);
      const mostMs = wanted * heartbeatMs + agent.patienceMs;
      const beats = await agent.hub.bell.within(mostMs, () =>
        since().length >= wanted ? since() : undefined,
      );
      const expected = `${wanted} heartbeats ${heartbeatMs} ms apart`;
      expectThat(beats !== undefined, expected, `${since().length} within ${mostMs} ms`);
      // By the agent's own clock: what was held up on the way comes all at once.
      const [firstMs = 0] = beats;
      const tookMs = (beats[wanted - 1] ?? 0) - firstMs;
      const isTooOften = tookMs < ((wanted - 1) * heartbeatMs) / 2;
      expectThat(!isTooOften, expected, `${wanted} within ${tookMs} ms`);
    },
  };
}

/** When the agent says that it sent each of its heartbeats. */
function heartbeatsOn({ received }: AgentStream): readonly number[] {
  return received.flatMap(({ message }) =>
    message.case === "heartbeat" && message.value.heartbeatAt ? timestampMs(message.value.heartbeatAt) : [],
  );
}

export function leaseCases(agent: CalledAgent, hub: HubSide | undefined): Case[] {
  return [
    {
      id: "endpoint",
      title: "states its address and transport in its heartbeat",
      async run() {
        manifestOf(agent);
        const { endpoint } = agent.profile.heartbeat ?? {};
        const transport = agent.transport === "grpc" ? AgentTransport.GRPC : AgentTransport.HTTP_JSON;
        expectEqual(
          "endpoint.transport",
          AgentTransport[endpoint?.transport ?? 0],
          AgentTransport[transport],
        );
        expectThat(URL.canParse(endpoint?.uri ?? ""), "a URL as endpoint.uri", endpoint?.uri || "none");
      },
    },
    {
      id: "lease",
      title: "renews its lease before it ends",
      async run() {
        manifestOf(agent);
        if (!hub) throw new Skipped(unregistered);
        const { leaseMs, heartbeats: wanted } = limits;
        const before = hub.heartbeats.length;
        const since = () => hub.heartbeats.length - before;
        const mostMs = leaseMs + agent.patienceMs;
        const renewed = await hub.bell.within(mostMs, () => (since() >= wanted ? true : undefined));
        const expected = `${wanted} heartbeats in a lease of ${leaseMs} ms`;
        expectThat(renewed === true, expected, `${since()} within ${mostMs} ms`);
      },
    },
  ];
}

const unregistered = "the agent was called by its address and did not register";

function manifestOf({ profile: { manifest } }: AgentUnderTest) {
  if (!manifest) throw new Skipped(unregistered);
  return manifest;
}
