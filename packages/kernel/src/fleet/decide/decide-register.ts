import { type AgentManifest, AgentManifestSchema, RiskTier, validate } from "@baton/contract";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { checkJsonSchema } from "../../json-schema/check-schema.ts";
import { tierName, tierNamed } from "../../risk-tier.ts";
import { compareVersions, parseVersion, sameMajor } from "../../versions/semver.ts";
import { rangeFault } from "../../versions/version-range.ts";
import type { FleetLimits } from "../settings.ts";
import type { FleetState } from "../state/fleet-state.ts";
import type { FleetRecord } from "../state/record.ts";
import { canonicalBytes, differingFields, isSameManifest } from "./compare-manifests.ts";
import { type FleetDecision, nothing, record, refuse } from "./decision.ts";
import type { FullFleetWorld, InputOf } from "./input.ts";
import { type FleetProblem, noName, overLimit, problem } from "./problem.ts";

/** Checks static compatibility only (A §3.1, DIS-02). Whether a pack suits a task is decided at dispatch. */
export function decideRegister(
  state: KnownPacks,
  { manifest }: Pick<InputOf<"register">, "manifest">,
  world: FullFleetWorld,
): FleetDecision {
  const { limits } = world.settings;
  const [violation] = validate(AgentManifestSchema, manifest);
  if (violation) {
    return refuse(problem("BATON-FLEET-001", `manifest.${violation.field}`, violation.message));
  }
  const fault =
    tooLarge(manifest, limits) ??
    unnamed(manifest) ??
    unsatisfiable(manifest) ??
    incompatible(manifest, world);
  if (fault) return refuse(fault);
  const { packId, packVersion } = manifest;
  const known = state.packs.get(packId)?.manifests;
  const before = known?.get(packVersion);
  if (before) {
    if (isSameManifest(before, manifest)) return nothing;
    const differs = differingFields(before, manifest).join(", ");
    const message = `version ${packVersion} of pack "${packId}" is known with other content; what differs: ${differs}`;
    return refuse(problem("BATON-FLEET-003", "manifest.pack_version", message));
  }
  const versions = known?.size ?? 0;
  if (versions >= limits.versionsPerPack) {
    return refuse(overLimit("manifest.pack_version", versions + 1, limits.versionsPerPack, "versions"));
  }
  if (!known && state.packs.size >= limits.packs) {
    return refuse(overLimit("manifest.pack_id", state.packs.size + 1, limits.packs, "packs"));
  }
  return record([{ kind: "manifest-registered", manifest }]);
}

/** The known versions of packs. */
interface KnownPacks {
  readonly packs: ReadonlyMap<string, { readonly manifests: ReadonlyMap<string, AgentManifest> }>;
}

/** Registers all or none. Each manifest is also checked against those before it; `at` names the refused one. */
export function decideRegisterAll(
  state: FleetState,
  { manifests }: InputOf<"register-all">,
  world: FullFleetWorld,
): FleetDecision {
  const packs = new Map<string, { readonly manifests: ReadonlyMap<string, AgentManifest> }>(state.packs);
  const records: FleetRecord[] = [];
  for (const [index, manifest] of manifests.entries()) {
    const decision = decideRegister({ packs }, { manifest }, world);
    if (decision.problem) {
      const at = decision.problem.at.replace(/^manifest/, `manifests[${index}]`);
      return refuse({ ...decision.problem, at });
    }
    if (decision.records.length === 0) continue;
    records.push(...decision.records);
    const versions = packs.get(manifest.packId)?.manifests ?? [];
    packs.set(manifest.packId, { manifests: new Map([...versions, [manifest.packVersion, manifest]]) });
  }
  return record(records);
}

function tooLarge(manifest: AgentManifest, limits: FleetLimits): FleetProblem | undefined {
  const { packId, packVersion, providedTools } = manifest;
  if (providedTools.length > limits.toolsPerInstance) {
    return overLimit("manifest.provided_tools", providedTools.length, limits.toolsPerInstance, "tools");
  }
  const longest = Math.max(packId.length, packVersion.length, ...providedTools.map(({ length }) => length));
  if (longest > limits.nameLength) {
    return overLimit("manifest", longest, limits.nameLength, "characters of a name");
  }
  const bytes = canonicalBytes(manifest).length;
  return bytes > limits.manifestBytes
    ? overLimit("manifest", bytes, limits.manifestBytes, "bytes")
    : undefined;
}

function unnamed({ packId, packVersion, supportedTaskTypes }: AgentManifest): FleetProblem | undefined {
  return (
    noName("manifest.pack_id", packId) ??
    noName("manifest.pack_version", packVersion) ??
    supportedTaskTypes
      .map((type, index) => noName(`manifest.supported_task_types[${index}]`, type))
      .find((fault) => fault !== undefined)
  );
}

/** Finds what no task could match or no result satisfy. */
function unsatisfiable(manifest: AgentManifest): FleetProblem | undefined {
  const { interface: spoken, dataSchema } = manifest;
  for (const [index, range] of (spoken?.supportedSchemaVersions ?? []).entries()) {
    const why = rangeFault(range);
    const at = `manifest.interface.supported_schema_versions[${index}]`;
    if (why !== undefined) return problem("BATON-FLEET-001", at, `${why}; write one such as ^1.0.0`);
  }
  const longest = spoken?.maxTaskDuration;
  if (longest && durationMs(longest) === 0)
    return problem("BATON-FLEET-001", "manifest.interface.max_task_duration", "must be longer than zero");
  const untrusted = wrongTier(manifest);
  if (untrusted) return untrusted;
  const [fault] = dataSchema ? checkJsonSchema(dataSchema) : [];
  return fault && problem("BATON-FLEET-001", `manifest.data_schema${fault.path}`, fault.message);
}

/** A §3.3 checks accepted_risk_tiers only, so these must not exceed the safety tier. */
function wrongTier({ safetyTier, interface: spoken }: AgentManifest): FleetProblem | undefined {
  for (const [index, name] of (spoken?.acceptedRiskTiers ?? []).entries()) {
    const at = `manifest.interface.accepted_risk_tiers[${index}]`;
    const tier = tierNamed(name);
    if (tier === undefined)
      return problem("BATON-FLEET-001", at, `${JSON.stringify(name)} is not a risk tier`);
    if (safetyTier !== RiskTier.UNSPECIFIED && tier > safetyTier) {
      const message = `${tierName(tier)} is above safety_tier ${tierName(safetyTier)}; raise that, or leave it out`;
      return problem("BATON-FLEET-001", at, message);
    }
  }
  return undefined;
}

function incompatible(
  { capabilitySchemaVersion, minOrchestratorVersion }: AgentManifest,
  { orchestratorVersion, settings }: FullFleetWorld,
): FleetProblem | undefined {
  const at = { capability: "manifest.capability_schema_version", hub: "manifest.min_orchestrator_version" };
  const theirs = parseVersion(capabilitySchemaVersion);
  if (!theirs) return notAVersion(at.capability, capabilitySchemaVersion);
  const ours = parseVersion(settings.capabilitySchemaVersion);
  if (!ours || !sameMajor(ours, theirs)) {
    const message = `capabilities are written in ${capabilitySchemaVersion}, and this hub speaks ${settings.capabilitySchemaVersion}`;
    return problem("BATON-FLEET-002", at.capability, message);
  }
  if (minOrchestratorVersion === "") return undefined;
  const minimum = parseVersion(minOrchestratorVersion);
  if (!minimum) return notAVersion(at.hub, minOrchestratorVersion);
  const own = parseVersion(orchestratorVersion);
  if (own && compareVersions(minimum, own) <= 0) return undefined;
  const message = `the pack needs orchestrator ${minOrchestratorVersion} or newer, and this is ${orchestratorVersion}`;
  return problem("BATON-FLEET-002", at.hub, message);
}

function notAVersion(at: string, text: string): FleetProblem {
  return problem("BATON-FLEET-002", at, `"${text}" is not a version: expected MAJOR.MINOR.PATCH`);
}
