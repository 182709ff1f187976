/** Fields that lists of runs can be filtered by. */
import { RiskTier, type SubmitTaskRequest } from "@baton/contract";
import { effectiveTier, labelsOf, type PipelineState, type Redactor, type RunLabel } from "@baton/kernel";
import type { PipelineRow } from "../ports/store.ts";
import { framed } from "../query/filter.ts";
import { storeLimits } from "../stores/limits.ts";

type ListFields = Pick<PipelineRow, "taskId" | "riskTier" | "labels" | "agents">;

/** Caches: every transition writes a row, and these values seldom change. */
const taskIds = new WeakMap<SubmitTaskRequest, string>();
const labelTexts = new WeakMap<readonly RunLabel[], string>();
const tiers = new WeakMap<PipelineState["plan"]["stages"], RiskTier>();
const agentTexts = new WeakMap<readonly string[], string>();

export function listFields(state: PipelineState, listing: Redactor): ListFields {
  return {
    taskId: taskIdOf(state.task, listing),
    labels: labelText(labelsOf(state), listing),
    riskTier: RiskTier[riskTierOf(state)],
    agents: agentsOf(state, listing),
  };
}

/** The highest risk tier of the stages. */
export function riskTierOf({ task, plan: { stages } }: PipelineState): RiskTier {
  const known = tiers.get(stages);
  if (known !== undefined) return known;
  const tier = effectiveTier(task.riskTier, ...stages.map(({ riskTier }) => riskTier));
  tiers.set(stages, tier);
  return tier;
}

function taskIdOf(task: SubmitTaskRequest, listing: Redactor): string {
  const known = taskIds.get(task) ?? listing.redactText(task.contract?.taskId ?? "").text;
  taskIds.set(task, known);
  return known;
}

function labelText(labels: readonly RunLabel[], listing: Redactor): string {
  const redacted = () => labels.map(({ name, value }) => listing.redactText(`${name}=${value}`).text);
  const known = labelTexts.get(labels) ?? fitting(redacted());
  labelTexts.set(labels, known);
  return known;
}

function agentsOf({ agents }: PipelineState, listing: Redactor): string {
  if (!agents) return "";
  const known = agentTexts.get(agents) ?? fitting(agents.map((name) => listing.redactText(name).text));
  agentTexts.set(agents, known);
  return known;
}

/** As many whole members as fit into the column. */
function fitting(members: readonly string[]): string {
  const kept: string[] = [];
  let remaining = storeLimits.charactersPerName - 1;
  for (const member of members) {
    remaining -= member.length + 1;
    if (remaining < 0) break;
    kept.push(member);
  }
  return framed(kept);
}
