import {
  ContextLevel,
  ContextPropagationMode,
  RiskTier,
  type Stage,
  type StageConfig,
  type StageConfigSchema,
  StageSchema,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { Random } from "../chance/random.ts";
import type { Shape } from "./shape.ts";
import { drawEdges } from "./stage-edges.ts";

export type ConfigInit = Exclude<MessageInitShape<typeof StageConfigSchema>, StageConfig>;

export function drawStages(shape: Shape, flavour: Flavour, random: Random): Stage[] {
  const ids = shape.map((_, place) => drawId(place, flavour, random));
  return shape.map((dependsOn, place) =>
    create(StageSchema, {
      stageId: ids[place] as string,
      taskType: random.weighted([
        ["code", 5],
        ["review", 3],
        ["verify", 2],
        ["unrouted", 0.05],
      ]),
      config: {
        ...drawConfig(flavour, dependsOn.length > 0, random),
        ...drawEdges(shape, ids, place, flavour, random),
        dependsOnStages: dependsOn.map((other) => ids[other] as string),
      },
    }),
  );
}

/** Ids are arbitrary text (A §4.2): blanks, slashes and dots must not matter. */
function drawId(place: number, { oddNames }: Flavour, random: Random): string {
  const plain = `s${place}`;
  return random.chance(oddNames)
    ? random.pick([`stage ${place}`, `a/${place}`, `x.${place}`, `s-${place}`])
    : plain;
}

function drawConfig(flavour: Flavour, dependsOnAny: boolean, random: Random): ConfigInit {
  const { optional, strictRefs, ownBudgets, flags } = flavour;
  const config: ConfigInit = {
    required: !random.chance(optional),
    timeout: durationFromMs(random.int(15, 60) * 1000),
    riskTier: random.weighted([
      [RiskTier.LOW, 4],
      [RiskTier.NORMAL, 4],
      [RiskTier.CRITICAL, 0.7],
    ]),
    contextPropagation: drawPropagation(dependsOnAny, random),
    handoffPolicy: {
      contextLevel: random.pick([ContextLevel.MINIMAL, ContextLevel.LAYERED, ContextLevel.RICH]),
      retry: {
        maxAttempts: random.int(1, 4),
        initialBackoff: durationFromMs(random.pick([100, 1000, 3000])),
        maxBackoff: durationFromMs(8000),
      },
      ...(random.chance(strictRefs) && {
        freshness: { maxRefStaleness: durationFromMs(20_000), requireDigest: random.chance(0.3) },
      }),
      ...(random.chance(flags) && {
        escalation: {
          autoEscalateOnSecurityFlag: ["touches_auth"],
          escalateOnPolicyBlocked: random.chance(0.7),
        },
      }),
    },
  };
  if (!random.chance(ownBudgets)) return config;
  return { ...config, budget: { maxTokens: BigInt(random.int(100, 2000)) } };
}

/** Only a stage that receives context states what is carried to it. */
function drawPropagation(dependsOnAny: boolean, random: Random) {
  const { NONE, PREVIOUS, CUMULATIVE } = ContextPropagationMode;
  const mode = random.pick(dependsOnAny ? [NONE, PREVIOUS, CUMULATIVE] : [NONE, CUMULATIVE]);
  if (mode === NONE) return { mode };
  return { mode, carryArtifacts: random.chance(0.5), carryDecisions: random.chance(0.5) };
}

/** The probabilities of a pipeline's features, so that some pipelines are plain and others are full of conditions. */
export interface Flavour {
  readonly conditions: number;
  readonly optional: number;
  readonly strictRefs: number;
  readonly ownBudgets: number;
  readonly flags: number;
  readonly oddNames: number;
}

export function drawFlavour(random: Random): Flavour {
  const some = () => random.pick([0, 0, 0.2, 0.5]);
  return {
    conditions: some(),
    optional: random.pick([0, 0, 0.3, 0.8]),
    strictRefs: some(),
    ownBudgets: some(),
    flags: random.pick([0, 0, 0, 0.4]),
    oddNames: random.pick([0, 0, 0, 0.3]),
  };
}
