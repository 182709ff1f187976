import { type AgentInstance, HealthStatus } from "@baton/contract/messages";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { useState } from "react";
import { formatSpan } from "../../design/format-time.ts";
import type { SignName } from "../../design/signs.tsx";
import { Badge, type Tone } from "../../design/status.tsx";
import { Ago } from "../../design/time.tsx";
import { useKeptFocus } from "../../design/use-kept-focus.ts";
import { registry } from "../../hub/client.ts";
import { ReasonSheet } from "../run/reason-sheet.tsx";
import { Busy, describeFailures, RecentWork, Success } from "./work.tsx";

const healths: Readonly<
  Record<HealthStatus, { readonly word: string; readonly tone: Tone; readonly sign: SignName }>
> = {
  [HealthStatus.UNSPECIFIED]: { word: "Unknown", tone: "quiet", sign: "pending" },
  [HealthStatus.HEALTHY]: { word: "Healthy", tone: "good", sign: "done" },
  [HealthStatus.DEGRADED]: { word: "Degraded", tone: "asks", sign: "waits" },
  [HealthStatus.UNHEALTHY]: { word: "Unhealthy", tone: "bad", sign: "failed" },
  [HealthStatus.QUARANTINED]: { word: "Quarantined", tone: "bad", sign: "stopped" },
};

/** Agents in these states get no work. */
const cannotWork = new Set([HealthStatus.UNHEALTHY, HealthStatus.QUARANTINED]);

const gone = { word: "Gone", tone: "quiet", sign: "stopped" } as const;

export function InstanceRow({
  instance,
  onChanged,
}: {
  readonly instance: AgentInstance;
  readonly onChanged: () => void;
}) {
  const { heartbeat, attached, quarantineReason, goneSince, disprovedClaims, work, sandbox } = instance;
  const [isRestoring, setRestoring] = useState(false);
  useKeptFocus(quarantineReason !== "");
  const { instanceId = "", packId = "", health, capacity, availableTools = [] } = heartbeat ?? {};
  const isGone = goneSince !== undefined && quarantineReason === "";
  const status = health?.status ?? HealthStatus.UNSPECIFIED;
  // An agent that fails every attempt is not displayed as healthy. Routing uses the reported health.
  const reports = healths[status].word.toLowerCase();
  const failing = work?.failing && !isGone && !cannotWork.has(status) ? work : undefined;
  const look = failing
    ? ({ word: `Failing: ${describeFailures(failing)}`, tone: "bad", sign: "failed" } as const)
    : isGone
      ? gone
      : healths[status];
  // Reported by the agent, or by the hub for a command agent.
  const isWell = isGone || quarantineReason !== "" || health?.status === HealthStatus.HEALTHY;
  const complaint = isWell ? "" : (health?.reason ?? "");
  const latencyMs = health?.avgLatency1m ? durationMs(health.avgLatency1m) : 0;
  return (
    <>
      <tr>
        <td>
          <span className="mono wrap">{instanceId}</span>
          <span className="quiet">
            {" "}
            {goneSince ? (
              <>
                gone <Ago at={goneSince} />
              </>
            ) : attached ? (
              "attached"
            ) : sandbox === "" ? (
              "push"
            ) : (
              "command"
            )}
          </span>
          <WeakSandbox sandbox={sandbox} />
        </td>
        <td data-label="Health">
          <Badge {...look} />
          {failing && <p className="quiet complaint">reports {reports}</p>}
          {quarantineReason !== "" && <p className="wrap quarantine">{quarantineReason}</p>}
          {complaint !== "" && <p className="wrap quiet complaint">{complaint}</p>}
        </td>
        <td data-label="Success">
          <Success work={work} />
        </td>
        <td data-label="Load">
          {isGone ? (
            <span className="quiet">–</span>
          ) : (
            <Load active={capacity?.activeTasks ?? 0} most={capacity?.maxTasks ?? 0} />
          )}
          {!isGone && <Busy work={work} />}
        </td>
        <td data-label="Latency">
          {latencyMs > 0 ? formatSpan(latencyMs) : <span className="quiet">–</span>}
        </td>
        <td data-label="Claims">
          <Claims disproved={disprovedClaims} succeeded={work?.succeeded ?? 0} />
        </td>
        <td className="quiet wrap" data-label="Tools">
          {availableTools.join(", ")}
        </td>
        <td>
          {quarantineReason !== "" && (
            <button type="button" className="button small" onClick={() => setRestoring(true)}>
              Restore
            </button>
          )}
          {isRestoring && (
            <ReasonSheet
              title={`Restore ${instanceId}`}
              effect="Allows the agent to receive work again. Its history stays in the audit log."
              button="Restore"
              onRun={(reason) => registry.restoreAgent({ packId, instanceId, reason })}
              onDone={() => {
                setRestoring(false);
                onChanged();
              }}
              onClose={() => setRestoring(false)}
            />
          )}
        </td>
      </tr>
      {work && (work.lastFailure || work.recentAttempts.length > 0) && (
        <tr className="work-row">
          <td colSpan={8}>
            <RecentWork work={work} of={instanceId} />
          </td>
        </tr>
      )}
    </>
  );
}

/** A command agent without a full sandbox. */
function WeakSandbox({ sandbox }: { readonly sandbox: string }) {
  if (sandbox === "off") return <span className="badge bad">No sandbox</span>;
  return sandbox === "namespaces" ? <span className="badge asks">Weak sandbox: namespaces</span> : null;
}

/** Claims hold or fail only with results that succeeded. */
function Claims({ disproved, succeeded }: { readonly disproved: number; readonly succeeded: number }) {
  if (disproved > 0) return <span className="badge bad">{disproved} disproved</span>;
  return <span className="quiet">{succeeded > 0 ? "all held" : "–"}</span>;
}

function Load({ active, most }: { readonly active: number; readonly most: number }) {
  return (
    <span className="load">
      <meter min={0} max={Math.max(1, most)} value={active} aria-label={`${active} of ${most} tasks`} />
      {active}/{most}
    </span>
  );
}
