import {
  type AgentManifest,
  AgentManifestSchema,
  AgentRole,
  InterfaceContractSchema,
  RiskTier,
  RiskTierSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { defaultFleetSettings } from "../fleet/settings.ts";
import type { Problem } from "../problem.ts";
import { buildCommandAgent, type CommandAgent, commandShape } from "./command-agent.ts";
import { fields, list, optional, required } from "./lists-and-fields.ts";
import { enumShape, initOf, map, messageFields, messageShape } from "./message-shape.ts";
import { buildModelAgent, type ModelAgent, modelAgentShape } from "./model-agent.ts";
import { Reading } from "./reading.ts";
import { text } from "./shape.ts";

/** A kind of agent (A §3.1 layer 1), with its command or its model if the hub runs it. */
export interface ProfessionPack {
  readonly manifest: AgentManifest;
  readonly command?: CommandAgent;
  readonly model?: ModelAgent;
}

type PackReading =
  | { readonly ok: true; readonly pack: ProfessionPack }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const { limits } = defaultFleetSettings;

/** Defaults that never change, because a version of a pack is immutable across versions of the hub. */
const leftOut = { capabilitySchemaVersion: "1.0.0", supportedSchemaVersions: ["^1.0.0"] } as const;

const packId = text({
  most: limits.nameLength,
  pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
  must: "be the id of a pack: letters, digits, hyphens and dots",
  fix: "write it such as senior-ts-dev",
});
const part = "(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)";
const version = text({
  pattern: new RegExp(
    `^(?:0|[1-9]\\d{0,8})(?:\\.(?:0|[1-9]\\d{0,8})){2}(?:-(?=[0-9A-Za-z.-]{1,64}(?:\\+|$))${part}(?:\\.${part})*)?(?:\\+[0-9A-Za-z.-]{1,64})?$`,
  ),
  must: "be a version: MAJOR.MINOR.PATCH",
  fix: 'write it in quotes, such as "1.0.0"',
});
const name = text({ most: limits.nameLength });
const names = list(name, { most: limits.toolsPerInstance });

const tierNames = ["RISK_TIER_LOW", "RISK_TIER_NORMAL", "RISK_TIER_CRITICAL"] as const;
const tierName = map(enumShape(RiskTierSchema, "a risk tier"), (tier) => tierNames[tier - 1] ?? "");

const interfaceShape = messageShape(InterfaceContractSchema, {
  supported_schema_versions: list(name, {
    least: 1,
    most: 64,
    example: 'supported_schema_versions: ["^1.0.0"]',
  }),
  accepted_risk_tiers: list(tierName, { least: 1, most: 8, example: "accepted_risk_tiers: [LOW, NORMAL]" }),
});

const manifestFields = messageFields(
  AgentManifestSchema,
  {
    pack_id: packId,
    pack_version: version,
    capability_schema_version: version,
    min_orchestrator_version: version,
    supported_task_types: list(name, {
      least: 1,
      most: limits.toolsPerInstance,
      example: 'supported_task_types: ["code-review"]',
    }),
    provided_tools: names,
    required_tools: names,
    owner_domains: names,
    interface: interfaceShape,
  },
  ["pack_id", "pack_version", "supported_task_types"],
);

const packShape = fields({
  ...manifestFields,
  command: optional(
    commandShape,
    "The command line program that does this pack's tasks, when the hub is to run it.",
  ),
  model: optional(
    modelAgentShape,
    "The model and the prompt that do this pack's tasks. A pack has either this or `command`.",
  ),
});

/** `packs/NAME/profession-pack.yaml`: the fields of AgentManifest by their names, and `command` or `model`. */
export const professionPackShape = fields(
  { profession_pack: required(packShape, "A kind of specialist.") },
  "Profession pack",
);

/** Reads the content of the file, and fills in defaults. */
export function readProfessionPack(content: unknown): PackReading {
  const file = new Reading(content);
  const { command: given, model: givenModel, ...values } = professionPackShape.read(file).profession_pack;
  const manifest = create(AgentManifestSchema, initOf(AgentManifestSchema, values));
  fillIn(manifest);
  const command = given && buildCommandAgent(given, file.at("profession_pack").at("command"));
  // Model agents are attached by the SDK, whose default it is.
  if (givenModel && manifest.role === AgentRole.UNSPECIFIED) manifest.role = AgentRole.DEVELOPER;
  const modelReading = file.at("profession_pack").at("model");
  const model = givenModel && buildModelAgent(givenModel, modelReading);
  if (command && model)
    modelReading.reportInconsistent("is there beside command", "leave out one of them, or make two packs");
  if (model && !model.usesProtocol && manifest.dataSchema)
    modelReading.reportInconsistent(
      "has a data_schema, and its answers have no data",
      "add response_format: json_standard, or leave out data_schema",
    );
  if (file.problems.length > 0) return { ok: false, problems: file.problems };
  return { ok: true, pack: { manifest, ...(command && { command }), ...(model && { model }) } };
}

/** The defaults of the SDK: this contract, and risks up to the safety tier. */
function fillIn(manifest: AgentManifest): void {
  if (manifest.capabilitySchemaVersion === "")
    manifest.capabilitySchemaVersion = leftOut.capabilitySchemaVersion;
  if (manifest.safetyTier === RiskTier.UNSPECIFIED) manifest.safetyTier = RiskTier.NORMAL;
  const spoken = manifest.interface ?? create(InterfaceContractSchema);
  if (spoken.supportedSchemaVersions.length === 0)
    spoken.supportedSchemaVersions = [...leftOut.supportedSchemaVersions];
  if (spoken.acceptedRiskTiers.length === 0)
    spoken.acceptedRiskTiers = tierNames.slice(0, manifest.safetyTier);
  manifest.interface = spoken;
}
