import type { Budget, Usage } from "@baton/contract";
import { type PipelineState, type Spend, type SpendLimit, sentOf } from "../../kernel.ts";
import { demand } from "../../violation.ts";
import type { Fold, Memory } from "./step.ts";

const kinds = ["tokens", "costMicroUsd", "steps"] as const;

/** Keeps its own books from the records: what is granted is held until it is known what was spent. */
export function checkBudget({ record, before, after }: Fold, memory: Memory): void {
  switch (record.type) {
    case "dispatched":
      checkGrant(record.granted, limitsOf(memory.policy?.budget), record.dispatchId);
      book(memory, record.dispatchId, { tokens: 0, costMicroUsd: 0, steps: 0, ...record.granted }, undefined);
      break;
    case "received": {
      const stage = before?.stages[record.stage];
      const sent = stage && sentOf(stage);
      // Who does not say what it spent has spent what it was given.
      const given = sent && memory.ledger.held.get(sent.dispatchId);
      if (sent) book(memory, sent.dispatchId, undefined, spendOf(record.result.usage) ?? given);
      break;
    }
    case "disregarded":
      if (record.spent) book(memory, record.dispatchId, undefined, record.spent);
      break;
    case "retried":
      if (record.release !== undefined)
        book(memory, record.release, undefined, { tokens: 0, costMicroUsd: 0, steps: 0 });
      break;
    default:
      return;
  }
  compare(memory, after);
}

function checkGrant(granted: SpendLimit, limits: SpendLimit, dispatchId: string): void {
  for (const kind of kinds) {
    const grant = granted[kind];
    demand(
      limits[kind] === undefined || (grant !== undefined && grant > 0),
      "what is limited is granted in part only",
      () => `${dispatchId} was sent with ${grant ?? "no limit of"} ${kind}`,
    );
  }
}

/** Opens a reservation, or ends one; what was never reserved, or is settled already, is not booked twice. */
function book(
  memory: Memory,
  dispatchId: string,
  reserved: Spend | undefined,
  spent: Spend | undefined,
): void {
  const held = new Map(memory.ledger.held);
  const total = { ...memory.ledger.spent };
  const reservation = held.get(dispatchId);
  if (reserved) held.set(dispatchId, reserved);
  else if (reservation && spent) {
    held.delete(dispatchId);
    for (const kind of kinds) {
      total[kind] += spent[kind];
      memory.excess[kind] += Math.max(0, spent[kind] - reservation[kind]);
    }
  }
  const heldTotal = { tokens: 0, costMicroUsd: 0, steps: 0 };
  for (const one of held.values()) for (const kind of kinds) heldTotal[kind] += one[kind];
  memory.ledger = { spent: total, held, heldTotal };
}

function compare({ ledger, excess, policy }: Memory, { spending: theirs }: PipelineState): void {
  const limits = limitsOf(policy?.budget);
  for (const kind of kinds) {
    demand(
      ledger.spent[kind] === theirs.spent[kind] && ledger.heldTotal[kind] === theirs.heldTotal[kind],
      "the ledger holds and settles what the records say",
      () =>
        `${kind}: ${theirs.spent[kind]} spent and ${theirs.heldTotal[kind]} held, not ${ledger.spent[kind]} and ${ledger.heldTotal[kind]}`,
    );
    const limit = limits[kind];
    demand(
      limit === undefined || ledger.spent[kind] + ledger.heldTotal[kind] <= limit + excess[kind],
      "what is spent and held stays within the budget",
      () => `${kind}: ${ledger.spent[kind]} spent and ${ledger.heldTotal[kind]} held of ${limit}`,
    );
  }
  demand(
    theirs.held.size === ledger.held.size,
    "the ledger holds and settles what the records say",
    () => `${theirs.held.size} reservations, not ${ledger.held.size}`,
  );
}

function spendOf(usage: Usage | undefined): Spend | undefined {
  if (!usage) return undefined;
  const { inputTokens, outputTokens, costMicroUsd, steps } = usage;
  return { tokens: Number(inputTokens + outputTokens), costMicroUsd: Number(costMicroUsd), steps };
}

function limitsOf(budget: Budget | undefined): SpendLimit {
  return {
    ...(budget?.maxTokens !== undefined && { tokens: Number(budget.maxTokens) }),
    ...(budget?.maxCostMicroUsd !== undefined && { costMicroUsd: Number(budget.maxCostMicroUsd) }),
    ...(budget?.maxSteps !== undefined && { steps: budget.maxSteps }),
  };
}
