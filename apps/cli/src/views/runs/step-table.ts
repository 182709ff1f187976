import { type StepRecord, StepState, type Usage } from "@baton/contract/forms";
import type { RunSteps } from "../../queries/read-steps.ts";
import { type Piece, paint, piece, type Tone } from "../../terminal/paint.ts";
import { type Column, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const columns: readonly Column[] = [
  { heading: "ATTEMPT" },
  { heading: "STEP", flexible: true },
  { heading: "STATE" },
  { heading: "TOKENS", right: true },
  { heading: "USD", right: true },
  { heading: "BYTES", right: true, spare: true },
];

/** The durable steps of a run: what each attempt did itself. A later attempt that used a value has no row for it. */
export function renderSteps(
  terminal: Terminal,
  { steps, hasMoreSteps }: RunSteps,
  indent: string,
): readonly string[] {
  if (steps.length === 0) return [];
  const more = hasMoreSteps ? [`${indent}${paint(terminal, piece("and more", "quiet"))}`] : [];
  return [...renderTable(terminal, columns, steps.map(rowOf), indent), ...more];
}

function rowOf({ stageId, attemptNumber, step, valueBytes }: StepRecord): readonly Piece[] {
  const { name = "", occurrence = 1, state = StepState.UNSPECIFIED, usage } = step ?? {};
  const [word, tone] = states[state];
  return [
    piece(`${stageId}/${attemptNumber}`, "quiet"),
    piece(occurrence > 1 ? `${name} (use ${occurrence})` : name),
    piece(word, tone),
    piece(tokensOf(usage)),
    piece(dollarsOf(usage)),
    piece(valueBytes > 0 ? String(valueBytes) : ""),
  ];
}

const states: Readonly<Record<StepState, readonly [string, Tone]>> = {
  [StepState.UNSPECIFIED]: ["unknown", "quiet"],
  [StepState.STARTED]: ["began, end unknown", "asks"],
  [StepState.COMPLETED]: ["completed", "good"],
  [StepState.FAILED]: ["failed", "bad"],
};

function tokensOf(usage: Usage | undefined): string {
  const tokens = usage ? usage.inputTokens + usage.outputTokens : 0n;
  return tokens > 0n ? String(tokens) : "";
}

function dollarsOf(usage: Usage | undefined): string {
  return usage && usage.costMicroUsd > 0n ? (Number(usage.costMicroUsd) / 1e6).toFixed(4) : "";
}
