import { AgentManifestSchema, PipelinePolicySchema, StageSchema } from "@baton/contract";
import { toBinary } from "@bufbuild/protobuf";
import type { RoutingPolicy } from "../dispatch/routing-policy.ts";
import type { Constitution } from "../governance/constitution.ts";
import type { GuardrailPolicy } from "../guardrails/policy.ts";
import type { SpendLimits } from "../spend-limits.ts";
import type { RedactionPolicy } from "../trust/redaction/policy.ts";
import type { WebhookPolicy } from "../webhook-policy.ts";
import type { ModelCatalogue } from "./models.ts";
import type { ProfessionPack } from "./profession-pack.ts";
import type { PipelineTemplate } from "./templates.ts";

/** The configuration of a hub from files. */
export interface Configuration {
  readonly policy: RoutingPolicy | undefined;
  readonly templates: ReadonlyMap<string, PipelineTemplate>;
  readonly redaction: RedactionPolicy | undefined;
  readonly guardrails: GuardrailPolicy | undefined;
  readonly constitution?: Constitution | undefined;
  readonly spendLimits?: SpendLimits | undefined;
  readonly webhooks?: WebhookPolicy | undefined;
  readonly packs: readonly ProfessionPack[];
  readonly models?: ModelCatalogue | undefined;
}

/** Describes the differences, one per line, in the terms of the files; empty when there are none. */
export function describeChanges(before: Configuration, after: Configuration): readonly string[] {
  return [
    ...policyChanges(before.policy, after.policy),
    ...compare("template", only(before, false), only(after, false), templateKey),
    ...compare("workflow", only(before, true), only(after, true), templateKey),
    ...(same(before.redaction, after.redaction) ? [] : ["redaction policy changed"]),
    ...(limitsKey(before.spendLimits) === limitsKey(after.spendLimits) ? [] : ["spend limits changed"]),
    ...(webhooksKey(before.webhooks) === webhooksKey(after.webhooks) ? [] : ["webhooks changed"]),
    ...compare("provider", providersOf(before), providersOf(after), JSON.stringify),
    ...compare("model", modelsOf(before), modelsOf(after), JSON.stringify),
    ...guardrailChanges(before.guardrails, after.guardrails),
    ...constitutionChanges(before.constitution, after.constitution),
    ...compare("pack", byVersion(before.packs), byVersion(after.packs), packKey),
  ];
}

function providersOf({ models }: Configuration) {
  return models?.providers ?? new Map<string, never>();
}

function modelsOf({ models }: Configuration) {
  return models?.models ?? new Map<string, never>();
}

/** Workflows, or the other templates. */
function only({ templates }: Configuration, isWorkflow: boolean): ReadonlyMap<string, PipelineTemplate> {
  return new Map([...templates].filter(([, { workflow }]) => (workflow !== undefined) === isWorkflow));
}

function guardrailChanges(
  before: GuardrailPolicy | undefined,
  after: GuardrailPolicy | undefined,
): readonly string[] {
  if (!before || !after) return before === after ? [] : [`guardrails ${after ? "added" : "removed"}`];
  const byName = ({ rules }: GuardrailPolicy) => new Map(rules.map((rule) => [rule.name, rule]));
  const lines = compare("guardrail", byName(before), byName(after), JSON.stringify);
  const order = ({ rules }: GuardrailPolicy) => rules.map(({ name }) => name);
  if (before.redactFailures !== after.redactFailures)
    return [...lines, "guardrails: redact_failures changed"];
  return lines.length > 0 || same(order(before), order(after)) ? lines : ["order of the guardrails changed"];
}

function constitutionChanges(
  before: Constitution | undefined,
  after: Constitution | undefined,
): readonly string[] {
  if (!before || !after) return before === after ? [] : [`constitution ${after ? "added" : "removed"}`];
  if (before.digest === after.digest) return [];
  const rules = ({ principles, constraints }: Constitution) =>
    new Map<string, object>([
      ...principles.map((one) => [`principle ${one.key}`, one] as const),
      ...constraints.map((one) => [`constraint ${one.name}`, one] as const),
    ]);
  const lines = compare("rule", rules(before), rules(after), JSON.stringify);
  const still = before.version === after.version ? `, and is still called ${after.version}` : "";
  return [`constitution changed to digest ${after.digest.slice(0, 12)}${still}`, ...lines];
}

function policyChanges(
  before: RoutingPolicy | undefined,
  after: RoutingPolicy | undefined,
): readonly string[] {
  if (!before || !after) return before === after ? [] : [`routing policy ${after ? "added" : "removed"}`];
  const lines = [
    ...compare("route", before.routes, after.routes, JSON.stringify),
    ...(same(before.admission, after.admission) ? [] : ["admission changed"]),
    ...(same(before.defaults, after.defaults) ? [] : ["defaults changed"]),
    ...(same(before.review, after.review) ? [] : ["review changed"]),
  ];
  if (before.version !== after.version)
    return [`routing policy ${before.version} became ${after.version}`, ...lines];
  return lines.length === 0 ? [] : [`routing policy changed, and is still called ${after.version}`, ...lines];
}

function compare<Thing>(
  what: string,
  before: ReadonlyMap<string, Thing>,
  after: ReadonlyMap<string, Thing>,
  keyOf: (thing: Thing) => string,
): readonly string[] {
  const added = [...after.keys()].filter((name) => !before.has(name));
  const removed = [...before.keys()].filter((name) => !after.has(name));
  const changed = [...after].flatMap(([name, thing]) => {
    const earlier = before.get(name);
    return earlier !== undefined && keyOf(earlier) !== keyOf(thing) ? [name] : [];
  });
  return [
    ...added.map((name) => `${what} "${name}" added`),
    ...removed.map((name) => `${what} "${name}" removed`),
    ...changed.map((name) => `${what} "${name}" changed`),
  ];
}

function byVersion(packs: readonly ProfessionPack[]): ReadonlyMap<string, ProfessionPack> {
  return new Map(packs.map((pack) => [`${pack.manifest.packId} ${pack.manifest.packVersion}`, pack]));
}

function packKey({ manifest, command, model }: ProfessionPack): string {
  return `${toBinary(AgentManifestSchema, manifest).join()} ${JSON.stringify([command, model])}`;
}

function templateKey({ name, description, stages, policy, workflow }: PipelineTemplate): string {
  const bytes = [
    ...stages.map((stage) => toBinary(StageSchema, stage)),
    toBinary(PipelinePolicySchema, policy),
  ];
  return JSON.stringify([name, description, workflow?.ends, ...bytes.map((one) => one.join())]);
}

function limitsKey(limits: SpendLimits | undefined): string {
  return JSON.stringify(limits && [limits.others, [...limits.tenants]]);
}

function webhooksKey(policy: WebhookPolicy | undefined): string {
  return JSON.stringify(policy && [policy, [...policy.signing.tenants]]);
}

function same(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
