import { type AgentManifest, AgentManifestSchema, validate } from "@baton/contract";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { whyNoRange } from "../dispatch/version-range.ts";
import { checkJsonSchema } from "../json-schema/check-schema.ts";
import { compareVersions, parseVersion, sameMajor } from "../semver.ts";
import { canonicalBytes, sameBytes } from "./canonical-manifest.ts";
import { type FleetDecision, nothing, record, refuse } from "./decision.ts";
import { differingFields } from "./differing-fields.ts";
import type { FleetState } from "./fleet-state.ts";
import type { InputOf, SettledWorld } from "./input.ts";
import { type FleetProblem, noName, overLimit, problem } from "./problem.ts";
import type { FleetRecord } from "./record.ts";
import type { FleetLimits } from "./settings.ts";

/**
 * Registration: static compatibility only (A §3.1, DIS-02). Whether the pack suits a task is asked when there is one.
 */
export function decideRegister(
  state: KnownPacks,
  { manifest }: Pick<InputOf<"register">, "manifest">,
  world: SettledWorld,
): FleetDecision {
  const { limits } = world.settings;
  const [violation] = validate(AgentManifestSchema, manifest);
  if (violation) {
    return refuse(problem("BATON-FLEET-001", `manifest.${violation.field}`, violation.message));
  }
  const fault =
    tooLarge(manifest, limits) ?? unnamed(manifest) ?? unusable(manifest) ?? incompatible(manifest, world);
  if (fault) return refuse(fault);
  const { packId, packVersion } = manifest;
  const known = state.packs.get(packId)?.manifests;
  const before = known?.get(packVersion);
  if (before) {
    if (sameBytes(canonicalBytes(before), canonicalBytes(manifest))) return nothing;
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

/** What registration looks at: which versions of which packs are known. */
interface KnownPacks {
  readonly packs: ReadonlyMap<string, { readonly manifests: ReadonlyMap<string, AgentManifest> }>;
}

/** Each is held against those before it as well; the first that is refused refuses all, and the place says which it is. */
export function decideRegisterAll(
  state: FleetState,
  { manifests }: InputOf<"register-all">,
  world: SettledWorld,
): FleetDecision {
  const packs = new Map<string, { readonly manifests: ReadonlyMap<string, AgentManifest> }>(state.packs);
  const records: FleetRecord[] = [];
  for (const [place, manifest] of manifests.entries()) {
    const decision = decideRegister({ packs }, { manifest }, world);
    if (decision.problem) {
      const at = decision.problem.at.replace(/^manifest/, `manifests[${place}]`);
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
      .map((type, place) => noName(`manifest.supported_task_types[${place}]`, type))
      .find((fault) => fault !== undefined)
  );
}

/** What no task could ever match, or no answer satisfy. */
function unusable({ interface: spoken, dataSchema }: AgentManifest): FleetProblem | undefined {
  for (const [index, range] of (spoken?.supportedSchemaVersions ?? []).entries()) {
    const why = whyNoRange(range);
    const at = `manifest.interface.supported_schema_versions[${index}]`;
    if (why !== undefined) return problem("BATON-FLEET-001", at, `${why}; write one such as ^1.0.0`);
  }
  const longest = spoken?.maxTaskDuration;
  if (longest && durationMs(longest) === 0)
    return problem("BATON-FLEET-001", "manifest.interface.max_task_duration", "must be longer than zero");
  const [fault] = dataSchema ? checkJsonSchema(dataSchema) : [];
  return fault && problem("BATON-FLEET-001", `manifest.data_schema${fault.path}`, fault.message);
}

function incompatible(
  { capabilitySchemaVersion, minOrchestratorVersion }: AgentManifest,
  { orchestratorVersion, settings }: SettledWorld,
): FleetProblem | undefined {
  const at = { capability: "manifest.capability_schema_version", hub: "manifest.min_orchestrator_version" };
  const theirs = parseVersion(capabilitySchemaVersion);
  if (!theirs) return notAVersion(at.capability, capabilitySchemaVersion);
  const ours = parseVersion(settings.capabilitySchemaVersion);
  if (!ours || !sameMajor(ours, theirs)) {
    const message = `capabilities are written in ${capabilitySchemaVersion}, and this hub speaks ${settings.capabilitySchemaVersion}`;
    return problem("BATON-FLEET-002", at.capability, message);
  }
  if (minOrchestratorVersion === "") return undefined; // A pack that demands nothing works with any hub.
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
