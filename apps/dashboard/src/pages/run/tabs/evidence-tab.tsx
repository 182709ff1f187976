import { Code } from "../../../design/code.tsx";
import "./evidence.css";
import { formatSpan } from "../../../design/format-time.ts";
import { Badge } from "../../../design/status.tsx";
import { type CheckPair, pairChecks } from "./evidence.ts";
import { NotYet, type TabProps } from "./tab.tsx";

/** The claims of the agent beside the results of the hub's checks. */
export function EvidenceTab({ stage, attempt }: TabProps) {
  if (!attempt?.result) return <NotYet stage={stage} what="Evidence arrives with the result." />;
  const pairs = pairChecks(attempt);
  const required = pairs.filter(({ verdict }) => verdict !== "not-applicable");
  const absent = pairs.filter(({ verdict }) => verdict === "not-applicable").map(({ name }) => name);
  const { gate } = attempt;
  const none = attempt.result.evidence?.evidencePayload;
  return (
    <div className="stack">
      {gate && gate.rejectReason !== "" && (
        <p className="notice bad">
          <strong>
            {gate.rewindTargetStage === "" ? "Gate failed" : `Sent back to ${gate.rewindTargetStage}`}
          </strong>
          {gate.rejectReason}
        </p>
      )}
      {none?.case === "noneWithReason" && <p className="notice">No evidence: {none.value}</p>}
      <Checks pairs={required} />
      {required.length === 0 && none?.case !== "noneWithReason" && (
        <p className="quiet">No checks were required.</p>
      )}
      {absent.length > 0 && <p className="quiet">Not required by the contract: {absent.join(", ")}.</p>}
      {gate?.reviewer && (
        <p className="quiet">
          Decided by {gate.reviewer.id}
          {gate.tier !== "" && ` for ${gate.tier.toLowerCase()} risk`}.
        </p>
      )}
    </div>
  );
}

const verdicts = {
  holds: { word: "Passed", tone: "good", sign: "done" },
  fails: { word: "Failed", tone: "bad", sign: "failed" },
  disproved: { word: "Claim disproved", tone: "bad", sign: "failed" },
  unverified: { word: "Claimed, not checked", tone: "asks", sign: "waits" },
  "not-applicable": { word: "Not required", tone: "quiet", sign: "pending" },
} as const;

export function Checks({ pairs }: { readonly pairs: readonly CheckPair[] }) {
  return pairs.map((pair, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two claims may be of the same kind.
    <article className="check" key={pair.name + place}>
      <header className="row">
        <h3>{pair.name}</h3>
        <Badge {...verdicts[pair.verdict]} />
        {pair.command !== "" && <code className="quiet clip">{pair.command}</code>}
      </header>
      <div className="sides">
        <Side title="Claimed by the agent" result={pair.claimed} absent="nothing" />
        <Side
          title="Checked by the hub"
          result={pair.seen}
          tookMs={pair.seen?.tookMs}
          caveats={pair.seen?.caveats}
          absent="not checked"
        />
      </div>
    </article>
  ));
}

interface SideProps {
  readonly title: string;
  readonly result: { readonly passed: boolean; readonly output: string } | undefined;
  readonly tookMs?: number | undefined;
  readonly caveats?: readonly string[] | undefined;
  readonly absent: string;
}

function Side({ title, result, tookMs, caveats = [], absent }: SideProps) {
  const outcome = result === undefined ? absent : result.passed ? "passed" : "failed";
  const tone = result === undefined ? "quiet" : result.passed ? "good" : "bad";
  return (
    <div className={`side-box ${tone}`}>
      <p>
        <span className="quiet">{title}: </span>
        <strong>{outcome}</strong>
        {tookMs !== undefined && <span className="quiet"> · {formatSpan(tookMs)}</span>}
      </p>
      {caveats.map((caveat) => (
        <p key={caveat} className="notice asks wrap">
          {caveat}
        </p>
      ))}
      {result && result.output !== "" && <Code>{result.output}</Code>}
    </div>
  );
}
