import type { Budget, Usage } from "@baton/contract";
import { type PipelineState, type Spend, type SpendLimit, sentOf } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import type { Fold, Model } from "./step.ts";

const nothing: Spend = { tokens: 0, costMicroUsd: 0, steps: 0 };
const kinds = ["tokens", "costMicroUsd", "steps"] as const;

/** Keeps a ledger from the records: a grant is held until its spending is known. */
export function checkBudget({ record, before, after }: Fold, model: Model): void {
  switch (record.type) {
    case "dispatched":
      checkGrant(record.granted, limitsOf(model.policy?.budget), record.dispatchId);
      book(
        model,
        record.dispatchId,
        { tokens: 0, costMicroUsd: 0, steps: 0, ...(record.reserved ?? record.granted) },
        undefined,
      );
      break;
    case "stepped":
      if (record.usage) bookEarly(model, record.dispatchId, spendOf(record.usage) ?? nothing);
      break;
    case "received": {
      const stage = before?.stages[record.stage];
      const sent = stage && sentOf(stage);
      // A result without usage counts as having spent the grant.
      const given = sent && model.ledger.held.get(sent.dispatchId);
      const spent = spendOf(record.result.usage);
      if (sent) book(model, sent.dispatchId, undefined, spent ?? given, spent === undefined);
      break;
    }
    case "disregarded":
      if (record.spent) book(model, record.dispatchId, undefined, record.spent);
      break;
    case "retried":
      if (record.release !== undefined)
        book(model, record.release, undefined, { tokens: 0, costMicroUsd: 0, steps: 0 });
      break;
    default:
      return;
  }
  compare(model, after);
}

function checkGrant(granted: SpendLimit, limits: SpendLimit, dispatchId: string): void {
  for (const kind of kinds) {
    const grant = granted[kind];
    invariant(
      limits[kind] === undefined || (grant !== undefined && grant > 0),
      "a limited resource is granted with a limit",
      () => `${dispatchId} was sent with ${grant ?? "no limit of"} ${kind}`,
    );
  }
}

/** Opens or settles a reservation. Settling is idempotent, and ignores unknown dispatches. */
function book(
  model: Model,
  dispatchId: string,
  reserved: Spend | undefined,
  spent: Spend | undefined,
  isGrant = false,
): void {
  const held = new Map(model.ledger.held);
  const total = { ...model.ledger.spent };
  const reservation = held.get(dispatchId);
  if (reserved) held.set(dispatchId, reserved);
  else if (reservation && spent) {
    held.delete(dispatchId);
    for (const kind of kinds) {
      const early = model.early.get(dispatchId)?.[kind] ?? 0;
      const more = isGrant ? spent[kind] : Math.max(0, spent[kind] - early);
      total[kind] += more;
      model.excess[kind] += Math.max(0, more - reservation[kind]);
    }
  }
  setLedger(model, total, held);
}

/** The usage of a step counts at once, out of the grant. */
function bookEarly(model: Model, dispatchId: string, spent: Spend): void {
  const held = new Map(model.ledger.held);
  const total = { ...model.ledger.spent };
  const reservation = held.get(dispatchId);
  if (!reservation) return;
  const left = { ...reservation };
  const early = { ...(model.early.get(dispatchId) ?? nothing) };
  for (const kind of kinds) {
    early[kind] += spent[kind];
    total[kind] += spent[kind];
    model.excess[kind] += Math.max(0, spent[kind] - left[kind]);
    left[kind] = Math.max(0, left[kind] - spent[kind]);
  }
  model.early.set(dispatchId, early);
  held.set(dispatchId, left);
  setLedger(model, total, held);
}

function setLedger(model: Model, spent: Spend, held: ReadonlyMap<string, Spend>): void {
  const heldTotal = { ...nothing };
  for (const one of held.values()) for (const kind of kinds) heldTotal[kind] += one[kind];
  model.ledger = { spent, held, heldTotal };
}

function compare({ ledger, excess, policy }: Model, { spending: theirs }: PipelineState): void {
  const limits = limitsOf(policy?.budget);
  for (const kind of kinds) {
    invariant(
      ledger.spent[kind] === theirs.spent[kind] && ledger.heldTotal[kind] === theirs.heldTotal[kind],
      "the ledger agrees with the records",
      () =>
        `${kind}: ${theirs.spent[kind]} spent and ${theirs.heldTotal[kind]} held, not ${ledger.spent[kind]} and ${ledger.heldTotal[kind]}`,
    );
    const limit = limits[kind];
    invariant(
      limit === undefined || ledger.spent[kind] + ledger.heldTotal[kind] <= limit + excess[kind],
      "spent and held amounts stay within the budget",
      () => `${kind}: ${ledger.spent[kind]} spent and ${ledger.heldTotal[kind]} held of ${limit}`,
    );
  }
  invariant(
    theirs.held.size === ledger.held.size,
    "the ledger agrees with the records",
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
