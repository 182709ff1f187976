import { ActorType, type AuditEntry, AuditSnapshotSchema } from "@baton/contract/messages";
import { toJsonString } from "@bufbuild/protobuf";
import { useState } from "react";
import { Code } from "../../design/code.tsx";
import { formatDate, isoOf, msOf } from "../../design/format-time.ts";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { audit } from "../../hub/client.ts";
import { type Problem, problemOf } from "../../hub/problem.ts";
import { Link } from "../../router/link.tsx";
import { setQuery } from "../../router/location.ts";
import { packAddress, runAddress } from "../../router/routes.ts";
import { eventTone, eventWords } from "./audit-filter.ts";

/** "Show in list" lists this many newer entries above the entry. */
const newerAbove = 10n;

interface AuditEntryPanelProps {
  readonly entry: AuditEntry;
  readonly isListed: boolean;
}

/** An entry with its snapshot and its position in the hash chain. */
export function AuditEntryPanel({ entry, isListed }: AuditEntryPanelProps) {
  const {
    eventType,
    timestamp,
    action,
    rationale,
    actor,
    pipelineId,
    stageId,
    snapshot,
    entryHash,
    previousHash,
  } = entry;
  const at = msOf(timestamp);
  const chosen = snapshot?.snapshotPayload;
  const packId = chosen?.case === "dispatch" ? chosen.value.selectedPackId : "";
  const showInPlace = () =>
    setQuery({
      ...{ entry: entry.auditId, run: "", type: "" },
      before: String(entry.sequence + newerAbove + 1n),
    });
  return (
    <article className="card audit-entry" aria-label="Entry">
      <header>
        <h2>Entry {String(entry.sequence)}</h2>
        <span className={`badge ${eventTone(eventType)}`}>{eventWords(eventType)}</span>
        {!isListed && (
          <>
            <span className="spring" />
            <button type="button" className="button small" onClick={showInPlace}>
              Show in list
            </button>
          </>
        )}
      </header>
      <div className="card-body stack">
        <p className="wrap">
          <strong>{action}</strong>
        </p>
        {rationale !== "" && <p className="muted wrap">{rationale}</p>}
        <dl className="facts">
          <dt>Time</dt>
          <dd>
            {at !== undefined && (
              <time dateTime={isoOf(at)} title={isoOf(at)}>
                {formatDate(at)}
              </time>
            )}
          </dd>
          <dt>Actor</dt>
          <dd>
            {actor?.id} <span className="quiet">{actor ? ActorType[actor.type]?.toLowerCase() : ""}</span>
          </dd>
          {pipelineId !== "" && (
            <>
              <dt>Run</dt>
              <dd>
                <Link href={runAddress(pipelineId, stageId)}>
                  {pipelineId}
                  {stageId !== "" && ` / ${stageId}`}
                </Link>
              </dd>
            </>
          )}
          {packId !== "" && (
            <>
              <dt>Pack</dt>
              <dd>
                <Link href={packAddress(packId)}>{packId}</Link>
              </dd>
            </>
          )}
          <dt>Hash</dt>
          <dd className="mono">{entryHash ? hex(entryHash) : "not chained yet"}</dd>
          <dt>Previous hash</dt>
          <dd className="mono">{previousHash ? hex(previousHash) : "the first entry"}</dd>
        </dl>
        <Proof auditId={entry.auditId} />
        {snapshot && <Code>{toJsonString(AuditSnapshotSchema, snapshot, { prettySpaces: 2 })}</Code>}
      </div>
    </article>
  );
}

/** Fetches the inclusion proof of the entry. */
function Proof({ auditId }: { readonly auditId: string }) {
  const [proof, setProof] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const prove = async () => {
    try {
      const { proof: found } = await audit.getAuditProof({ auditId });
      const { checkpoint, hashes = [], leafIndex = 0n } = found ?? {};
      setProof(
        `Leaf ${leafIndex}, ${hashes.length} hashes to the root ${checkpoint ? hex(checkpoint.rootHash) : ""} of the ` +
          `checkpoint over ${checkpoint?.sequence ?? 0n} entries, signed by ${checkpoint?.keyId ?? ""}.`,
      );
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <div className="stack tight">
      {proof === "" && (
        <div>
          <button type="button" className="button small" onClick={prove}>
            Prove inclusion
          </button>
        </div>
      )}
      {proof !== "" && <p className="notice good wrap">{proof}</p>}
      {problem && <ProblemNotice problem={problem} />}
    </div>
  );
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
