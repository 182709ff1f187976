import type { RoutingPolicy } from "../dispatch/routing-policy.ts";
import { decideFleet } from "../fleet/decide/decide-fleet.ts";
import { emptyFleet } from "../fleet/state/fleet-state.ts";
import { didYouMean } from "../names.ts";
import { tierName } from "../risk-tier.ts";
import type { ModelCatalogue } from "./models.ts";
import type { ProfessionPack } from "./profession-pack.ts";
import type { PipelineTemplate } from "./templates.ts";
import { checkWorkers } from "./workflows/check-workers.ts";
import type { WorkflowFile } from "./workflows/workflow-file.ts";

/** The files of a project, as far as they are readable. */
interface ProjectFiles {
  readonly policy?: RoutingPolicy | undefined;
  readonly templates?: ReadonlyMap<string, PipelineTemplate> | undefined;
  readonly packs: readonly ProfessionPack[];
  readonly models?: ModelCatalogue | undefined;
  /** The file of models has errors, so that its names are not reported as unknown. */
  readonly modelsUnread?: boolean | undefined;
  readonly workflows?: readonly WorkflowFile[] | undefined;
  /** Ids of packs with invalid files, so that they are not reported as undefined. */
  readonly unread?: readonly string[] | undefined;
  /** The policy lacks routes that could not be read. */
  readonly policyIsPartial?: boolean | undefined;
}

/** A problem between files, or between a file and this hub. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly code: string;
  /** The file, or the index of the pack or workflow. */
  readonly file: "routing-policy" | "pipeline-templates" | number | WorkflowIndex;
  /** As in `Problem`. */
  readonly at: string;
  readonly message: string;
  readonly fix: string;
}

/**
 * Checks that concern several files. Most are warnings: agents may register packs themselves, and a person is asked about
 * missing routes.
 */
export function checkProject(files: ProjectFiles, orchestratorVersion: string): readonly Finding[] {
  return [
    ...checkPacks(files.packs, orchestratorVersion),
    ...checkRoutes(files),
    ...checkUnrouted(files),
    ...checkStages(files),
    ...checkModels(files),
    ...checkNodes(files),
  ];
}

/** The workflow of this index. */
export type WorkflowIndex = `workflow ${number}`;

function checkNodes({ policy, packs, workflows = [], unread = [] }: ProjectFiles): readonly Finding[] {
  const manifests = packs.map(({ manifest }) => manifest);
  return workflows.flatMap((file, index) =>
    checkWorkers(file, { policy, packs: manifests, unread }).map(
      (problem): Finding => ({ ...problem, severity: "warning", file: `workflow ${index}` }),
    ),
  );
}

function checkPacks(packs: readonly ProfessionPack[], orchestratorVersion: string): readonly Finding[] {
  const seen = new Set<string>();
  return packs.flatMap(({ manifest }, file) => {
    const { packId, packVersion } = manifest;
    const found: Finding[] = [];
    const key = `${packId}@${packVersion}`;
    if (seen.has(key)) {
      found.push({
        ...{ severity: "error", code: "BATON-CONFIG-002", file, at: "profession_pack.pack_id" },
        message: `version ${packVersion} of pack "${packId}" is in another file too`,
        fix: "give one of them another pack_id, or a pack_version of its own",
      });
    }
    seen.add(key);
    const { problem } = decideFleet(
      emptyFleet(),
      { kind: "register", manifest },
      { nowMs: 0, orchestratorVersion },
    );
    if (problem)
      found.push({
        ...problem,
        severity: "error",
        file,
        at: problem.at.replace("manifest", "profession_pack"),
      });
    return found;
  });
}

function checkRoutes({ policy, packs, unread = [] }: ProjectFiles): readonly Finding[] {
  if (!policy) return [];
  const known = new Map(packs.map((pack) => [pack.manifest.packId, pack.manifest]));
  const warn = (at: string, message: string, fix: string): Finding => ({
    ...{ severity: "warning", code: "BATON-CONFIG-003", file: "routing-policy" },
    ...{ at: `routing_policy.${at}`, message, fix },
  });
  const unknown = (at: string, packId: string) => {
    const names = [...known.keys()].toSorted().join(", ") || "none";
    const fix = `${didYouMean(packId, [...known.keys()])}add packs/${packId}/profession-pack.yaml, or let its agent register itself; known packs: ${names}`;
    return warn(at, `no file defines pack "${packId}"`, fix);
  };
  const judge = (at: string, packId: string, taskType: string, tier: number): readonly Finding[] => {
    if (packId === "" || taskType === "") return []; // Unreadable.
    const manifest = known.get(packId);
    if (!manifest) return unread.includes(packId) ? [] : [unknown(at, packId)];
    const found: Finding[] = [];
    if (!manifest.supportedTaskTypes.includes(taskType)) {
      const does = manifest.supportedTaskTypes.join(", ");
      const meant = didYouMean(taskType, manifest.supportedTaskTypes);
      const fix = `${meant}add "${taskType}" to its supported_task_types, or take it out of the route`;
      found.push(warn(at, `pack "${packId}" does not do "${taskType}", but ${does}`, fix));
    }
    if (manifest.safetyTier < tier) {
      const fix = "raise its safety_tier and accepted_risk_tiers, or lower min_risk_tier";
      found.push(warn(at, `pack "${packId}" is not trusted with ${tierName(tier)} tasks`, fix));
    }
    return found;
  };
  const routes = [...policy.routes.values()].flatMap((route, index) => {
    const { taskType, allowedPackIds, minRiskTier, fallbackPackId } = route;
    const at = `routes[${index}]`;
    const allowed = allowedPackIds.flatMap((packId, position) =>
      judge(`${at}.allowed_pack_ids[${position}]`, packId, taskType, minRiskTier),
    );
    const fallback = fallbackPackId
      ? judge(`${at}.fallback_pack_id`, fallbackPackId, taskType, minRiskTier)
      : [];
    return [...allowed, ...fallback];
  });
  const { fallbackPackId } = policy.defaults;
  const isUnknown = fallbackPackId !== null && !known.has(fallbackPackId) && !unread.includes(fallbackPackId);
  return isUnknown ? [...routes, unknown("defaults.fallback_pack_id", fallbackPackId)] : routes;
}

/** A pack without a route never gets a task. */
function checkUnrouted({ policy, packs, policyIsPartial = false }: ProjectFiles): readonly Finding[] {
  if (!policy || policyIsPartial) return [];
  const named = new Set(
    [...policy.routes.values()].flatMap((route) => [...route.allowedPackIds, route.fallbackPackId]),
  );
  named.add(policy.defaults.fallbackPackId);
  return packs.flatMap(({ manifest: { packId, supportedTaskTypes } }, file): readonly Finding[] => {
    if (named.has(packId)) return [];
    const [type = "TASK_TYPE"] = supportedTaskTypes;
    return [
      {
        ...{ severity: "warning", code: "BATON-CONFIG-003", file, at: "profession_pack.pack_id" },
        message: `no route of the routing policy names pack "${packId}", so it gets no task`,
        fix: `add it to the allowed_pack_ids of a route, or add one: { task_type: ${type}, allowed_pack_ids: [${packId}] }`,
      },
    ];
  });
}

/** Without its model a pack never works, so that an unknown name is an error. */
function checkModels({ packs, models, modelsUnread = false }: ProjectFiles): readonly Finding[] {
  if (modelsUnread) return [];
  const known = [...(models?.models.keys() ?? [])];
  return packs.flatMap(({ model }, file): readonly Finding[] => {
    if (model === undefined) return [];
    const unknown = (at: string, name: string): readonly Finding[] => {
      if (name === "" || known.includes(name)) return [];
      const fix =
        known.length === 0
          ? "add it to config/models.yaml"
          : `${didYouMean(name, known)}use one of: ${known.join(", ")}, or add it to config/models.yaml`;
      const message = `config/models.yaml has no model "${name}"`;
      return [{ severity: "error", code: "BATON-CONFIG-002", file, at, message, fix }];
    };
    return [
      ...unknown("profession_pack.model.model", model.model),
      ...model.fallbackModels.flatMap((name, index) =>
        unknown(`profession_pack.model.fallback_models[${index}]`, name),
      ),
    ];
  });
}

function checkStages({ policy, templates }: ProjectFiles): readonly Finding[] {
  if (!policy || !templates) return [];
  const known = [...policy.routes.keys()].toSorted().join(", ");
  return [...templates.values()].flatMap(({ stages }, template) =>
    stages.flatMap(({ taskType }, stage): readonly Finding[] => {
      if (policy.routes.has(taskType) || policy.routes.has("")) return [];
      return [
        {
          ...{ severity: "warning", code: "BATON-CONFIG-003", file: "pipeline-templates" },
          at: `pipeline_templates.templates[${template}].stages[${stage}].task_type`,
          message: `the routing policy has no route for "${taskType}", so a person is asked`,
          fix: `${didYouMean(taskType, [...policy.routes.keys()])}add a route for it, or use one of: ${known}`,
        },
      ];
    }),
  );
}
