import {
  type CheckRun,
  type EvidenceItem,
  EvidenceType,
  type FailedCheck,
  type GateCheck,
  GateCheckStatus,
  type GetAttemptResponse,
} from "@baton/contract/messages";
import { durationMs } from "@bufbuild/protobuf/wkt";

/** One check: the claim of the agent and the result of the hub. */
export interface CheckPair {
  readonly name: string;
  readonly command: string;
  readonly claimed: { readonly passed: boolean; readonly output: string } | undefined;
  readonly seen:
    | {
        readonly passed: boolean;
        readonly output: string;
        readonly tookMs: number | undefined;
        readonly caveats: readonly string[];
      }
    | undefined;
  readonly verdict: "holds" | "fails" | "disproved" | "unverified" | "not-applicable";
}

const names: Readonly<Record<EvidenceType, string>> = {
  [EvidenceType.UNSPECIFIED]: "other",
  [EvidenceType.TEST]: "tests",
  [EvidenceType.LINT]: "lint",
  [EvidenceType.TYPECHECK]: "typecheck",
  [EvidenceType.BUILD]: "build",
  [EvidenceType.SECURITY]: "security",
  [EvidenceType.MANUAL]: "manual",
};

/** The most important verdicts first. */
const order: readonly CheckPair["verdict"][] = [
  "disproved",
  "fails",
  "unverified",
  "holds",
  "not-applicable",
];

/** The checks of the gate with their claims, followed by claims without a check. */
export function pairChecks({ result, gate }: GetAttemptResponse): readonly CheckPair[] {
  const payload = result?.evidence?.evidencePayload;
  const claims = payload?.case === "items" ? payload.value.items : [];
  const checks = gate?.checks ?? [];
  const checked = new Set(
    checks.filter(({ status }) => status !== GateCheckStatus.NOT_APPLICABLE).map((one) => one.gateName),
  );
  return [
    ...checks.map((check) =>
      pair(
        check,
        claims.find(({ type }) => names[type] === check.gateName),
      ),
    ),
    ...claims.filter(({ type }) => !checked.has(names[type])).map(unchecked),
  ]
    .filter(({ verdict, claimed }) => verdict !== "not-applicable" || claimed === undefined)
    .toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
}

function pair(check: GateCheck, item: EvidenceItem | undefined): CheckPair {
  const { gateName, passed, evidence, status, claim, run, disproved } = check;
  const claimed = claim ?? item;
  const isAbsent = status === GateCheckStatus.NOT_APPLICABLE;
  const saw = run
    ? {
        passed: run.passed,
        output: run.output,
        tookMs: run.duration ? durationMs(run.duration) : undefined,
        caveats: caveatsOf(run),
      }
    : isAbsent
      ? undefined
      : { passed, output: evidence, tookMs: undefined, caveats: [] };
  return {
    name: gateName,
    command: run?.command || claimed?.command || "",
    claimed: isAbsent || !claimed ? undefined : { passed: claimed.passed, output: claimed.output },
    seen: saw,
    verdict: isAbsent
      ? "not-applicable"
      : disproved || (!passed && claimed?.passed)
        ? "disproved"
        : passed
          ? "holds"
          : "fails",
  };
}

/** A weak sandbox, and the result with the tests of the base commit. */
function caveatsOf({ sandbox, sandboxWarning, baseTests }: CheckRun): readonly string[] {
  const sandboxText = { plain: "Ran without a sandbox", namespaces: "Ran in a weak sandbox (namespaces)" }[
    sandbox
  ];
  return [
    ...(sandboxText === undefined ? [] : [`${sandboxText}: ${sandboxWarning}.`]),
    ...(baseTests === undefined
      ? []
      : [
          `The author changed tests (${baseTests.changedTests.join(", ")}). With the tests of the base commit: ${baseTests.passed ? "passed" : "failed"}.`,
        ]),
  ];
}

function unchecked({ type, command, output, passed }: EvidenceItem): CheckPair {
  return { name: names[type], command, claimed: { passed, output }, seen: undefined, verdict: "unverified" };
}

/** The reason of a failed check without its name; "failed" without a reason. */
export function failureOf({ checkName, reason }: Pick<FailedCheck, "checkName" | "reason">): string {
  return reason === `${checkName} failed` ? "failed" : reason || "failed";
}
