import { faultKinds } from "./chance/faults.ts";
import { allTransitions } from "./figures.ts";
import type { RunAll } from "./run-seeds.ts";
import type { Simulated } from "./simulate.ts";

const tailLines = 30;

/** The report of many runs. */
export function describeFigures({ figures, failures, tookMs, digest }: RunAll): string {
  const { seeds, decisions, faults, ends, transitions } = figures;
  const perSecond = (count: number) => Math.round((count / tookMs) * 1000).toLocaleString("en");
  const all = allTransitions();
  const never = all.filter((name) => !transitions[name]);
  return [
    `${seeds} seeds in ${(tookMs / 1000).toFixed(1)} s: ${perSecond(seeds)} seeds/s, ${perSecond(decisions)} decisions/s`,
    `digest of all traces: ${digest}`,
    "",
    "pipelines by their end, and crashes of the hub",
    ...table(Object.entries(ends)),
    "",
    `faults injected: ${sum(Object.values(faults))}`,
    ...table(faultKinds.map((kind) => [kind, faults[kind] ?? 0])),
    "",
    `transitions reached: ${all.length - never.length} of ${all.length}`,
    ...table(all.map((name) => [name, transitions[name] ?? 0])),
    ...(never.length === 0 ? [] : [`never reached: ${never.join(", ")}`]),
    "",
    `violations: ${failures.length}`,
  ].join("\n");
}

/** The report of a violation, with the command that replays it. */
export function describeFailure({ seed, violation, trace }: Simulated): string {
  return [
    `seed ${seed}, step ${violation?.step}: ${violation?.invariant}`,
    `  ${violation?.detail.replaceAll("\n", "\n  ")}`,
    ...trace.slice(-tailLines).map((line) => `  | ${line}`),
    `  replay: npm run simulate -- --seed ${seed} --verbose`,
  ].join("\n");
}

/** One run: the whole trace, or only its outcome. */
export function describeRun(run: Simulated, verbose: boolean): string {
  const ends = Object.entries(run.figures.ends).map(([end, times]) => `${times} ${end}`);
  return [
    ...(verbose ? run.trace : []),
    `seed ${run.seed}: ${run.violation ? "violation" : ends.join(", ")}`,
    `digest of the trace: ${run.digest}`,
    ...(run.violation ? [describeFailure({ ...run, trace: verbose ? [] : run.trace })] : []),
  ].join("\n");
}

function table(rows: readonly (readonly [string, number])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, times]) => `  ${name.padEnd(width)}  ${times.toLocaleString("en").padStart(11)}`);
}

function sum(counts: readonly number[]): string {
  return counts.reduce((total, count) => total + count, 0).toLocaleString("en");
}
