import { limits } from "./limits.ts";
import type { ChaosRun } from "./run-chaos.ts";
import type { Violation } from "./violations.ts";

/** The report of a run. */
export function describeRun({ seed, kills, tookMs, figures, violations }: ChaosRun): string {
  const { recovery } = figures;
  return [
    `${figures.killCount} kills of the hub in ${seconds(tookMs)}, seed ${seed}`,
    "(the seed determines the choices; real processes take their own time, so no two runs are the same)",
    "",
    "kills of the hub, by point",
    ...table(figures.kills),
    "",
    "other faults",
    ...table(figures.faults),
    ...figures.skipped.map((line) => `  skipped: ${line}`),
    "",
    "counts",
    ...table({
      "starts of the hub": figures.restarts,
      "pipelines acknowledged": figures.acknowledged,
      "pipelines ended": figures.ended,
      dispatches: figures.dispatches,
      "attempts begun by agents": figures.runs,
      "of them begun more than once (at least once is guaranteed)": figures.doubleRuns,
      "durable steps that ran": figures.stepRuns,
      "of them used again by a later attempt": figures.stepsUsedAgain,
      "repeated answers fenced": figures.fencedRepeats,
      "late answers fenced": figures.fencedLate,
      "stages completed twice": figures.doubleCompletions,
      "messages to webhooks": figures.webhooks,
      "of them sent more than once (at least once is guaranteed)": figures.webhookRepeats,
      "audit entries": figures.auditEntries,
      events: figures.events,
    }),
    "",
    "answered escalations",
    ...table(figures.answers),
    "",
    `start of the hub: ${milliseconds(middle(figures.startMs))} until it accepts calls (median)`,
    recovery
      ? `recovery with ${recovery.pipelines} pipelines under way: ready after ${milliseconds(recovery.readyMs)}, ` +
        `first transition after ${milliseconds(recovery.firstMs)}, last after ${milliseconds(recovery.lastMs)}`
      : "recovery: not measured",
    "",
    `violations: ${violations.length}`,
    ...describeViolations(violations),
    ...(violations.length === 0 ? [] : [`  repeat: npm run chaos -- --kills ${kills} --seed ${seed}`]),
  ].join("\n");
}

/** By invariant: the count and the first violations. */
function describeViolations(violations: readonly Violation[]): readonly string[] {
  return [...Map.groupBy(violations, ({ invariant }) => invariant)].flatMap(([invariant, found]) => [
    `  ${found.length} × ${invariant}`,
    ...found
      .slice(0, limits.violationsPrinted)
      .map(({ detail }) => `    ${detail.replaceAll("\n", "\n    ")}`),
  ]);
}

function table(counts: Readonly<Record<string, number>>): string[] {
  const rows = Object.entries(counts);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, times]) => `  ${name.padEnd(width)}  ${times.toLocaleString("en").padStart(9)}`);
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

function milliseconds(ms: number): string {
  return `${Math.round(ms).toLocaleString("en")} ms`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
