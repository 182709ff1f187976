import type { RoutingPolicyView } from "@baton/contract/messages";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { formatSpan } from "../../design/format-time.ts";

const unlimited = 2 ** 31 - 1;

export function Admission({ policy }: { readonly policy: RoutingPolicyView }) {
  const span = (duration: RoutingPolicyView["breakerWindow"]) =>
    duration ? formatSpan(durationMs(duration)) : "";
  const count = (value: number) => (value >= unlimited ? "no limit" : String(value));
  return (
    <div className="card-body">
      <dl className="facts">
        <dt>Queue limit</dt>
        <dd>{count(policy.maxGlobalQueueDepth)}</dd>
        <dt>Concurrent attempts per pack</dt>
        <dd>{count(policy.maxPerPackConcurrent)}</dd>
        <dt>Circuit breaker</dt>
        <dd>
          opens after {policy.breakerErrorThreshold} failures within {span(policy.breakerWindow)}, half-open
          after {span(policy.breakerHalfOpenAfter)}
        </dd>
        <dt>Degraded agents</dt>
        <dd>{policy.requireHealthy ? "not candidates" : "candidates after healthy ones"}</dd>
      </dl>
    </div>
  );
}
