import { useEffect, useRef } from "react";
import { Badge } from "../../design/status.tsx";
import { Link } from "../../router/link.tsx";
import { packAddress } from "../../router/routes.ts";
import { InstanceRow } from "./instance-row.tsx";
import type { Pack } from "./use-agents.ts";

const breakers = {
  open: { word: "Breaker open", tone: "bad", sign: "failed" },
  "half-open": { word: "Breaker half open", tone: "asks", sign: "waits" },
} as const;

interface PackCardProps {
  readonly pack: Pack;
  /** The address names this pack. */
  readonly isAsked: boolean;
  readonly onChanged: () => void;
}

export function PackCard({ pack, isAsked, onChanged }: PackCardProps) {
  const { packId, instances } = pack;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAsked) card.current?.scrollIntoView({ block: "nearest" });
  }, [isAsked]);
  const manifest = instances.find((one) => one.manifest)?.manifest;
  const breaker = instances[0]?.breakerState;
  const disproved = instances[0]?.packDisprovedClaims ?? 0;
  return (
    <section
      className={isAsked ? "card asked-pack" : "card"}
      aria-label={packId}
      aria-current={isAsked || undefined}
      ref={card}
    >
      <header className="pack-head">
        <h2>
          <Link href={packAddress(packId)}>{packId}</Link>
        </h2>
        {manifest && <span className="quiet">{manifest.packVersion}</span>}
        {(breaker === "open" || breaker === "half-open") && <Badge {...breakers[breaker]} />}
        {disproved > 0 && (
          <span className="badge bad">
            {disproved} {disproved === 1 ? "claim" : "claims"} disproved
          </span>
        )}
        <span className="spring" />
        <span className="chips task-types">
          {manifest?.supportedTaskTypes.map((type) => (
            <code key={type}>{type}</code>
          ))}
        </span>
      </header>
      <div className="table-frame" tabIndex={0} role="group" aria-label={`Instances of ${packId}`}>
        <table className="table instances">
          <thead>
            <tr>
              <th scope="col">Instance</th>
              <th scope="col">Health</th>
              <th scope="col">Success</th>
              <th scope="col">Load</th>
              <th scope="col">Latency</th>
              <th scope="col">Claims</th>
              <th scope="col">Tools</th>
              <th scope="col">
                <span className="sr">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {instances.map((instance) => (
              <InstanceRow key={instance.heartbeat?.instanceId} instance={instance} onChanged={onChanged} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
