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
import { ancestorsIn, type Shape } from "./shape.ts";

type ConfigInit = Exclude<MessageInitShape<typeof StageConfigSchema>, StageConfig>;

/** How a pipeline is flavoured as a whole, so that some pipelines are plain and others are full of conditions. */
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
    optional: some(),
    strictRefs: some(),
    ownBudgets: some(),
    flags: random.pick([0, 0, 0, 0.4]),
    oddNames: random.pick([0, 0, 0, 0.3]),
  };
}

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
        ...drawConfig(flavour, random),
        ...drawEdges(shape, ids, place, flavour, random),
        dependsOnStages: dependsOn.map((other) => ids[other] as string),
      },
    }),
  );
}

/** Ids are any text (A §4.2): a blank, a slash or a dot in one must not matter. */
function drawId(place: number, { oddNames }: Flavour, random: Random): string {
  const plain = `s${place}`;
  return random.chance(oddNames)
    ? random.pick([`stage ${place}`, `a/${place}`, `x.${place}`, `s-${place}`])
    : plain;
}

function drawConfig(flavour: Flavour, random: Random): ConfigInit {
  const { optional, strictRefs, ownBudgets, flags } = flavour;
  const config: ConfigInit = {
    required: !random.chance(optional),
    timeout: durationFromMs(random.int(15, 60) * 1000),
    riskTier: random.weighted([
      [RiskTier.LOW, 4],
      [RiskTier.NORMAL, 4],
      [RiskTier.CRITICAL, 0.7],
    ]),
    contextPropagation: {
      mode: random.pick([
        ContextPropagationMode.NONE,
        ContextPropagationMode.PREVIOUS,
        ContextPropagationMode.CUMULATIVE,
      ]),
      carryArtifacts: random.chance(0.5),
      carryDecisions: random.chance(0.5),
    },
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

/** Conditions over what earlier stages answered, a stage that takes over after a failure, edges that go back. */
function drawEdges(
  shape: Shape,
  ids: readonly string[],
  place: number,
  { conditions }: Flavour,
  random: Random,
): ConfigInit {
  const before = shape[place] ?? [];
  const edges: ConfigInit = {};
  if (before.length > 0 && random.chance(conditions)) {
    edges.condition = random.pick(conditionSources);
    // What a condition may leave out cannot be required; now and then somebody demands it all the same.
    if (!random.chance(0.03)) edges.required = false;
  }
  const after = shape.flatMap((others, other) => (others.includes(place) ? [other] : []));
  if (after.length > 0 && random.chance(conditions / 2))
    edges.errorStageId = ids[random.pick(after)] as string;
  const [first] = before.map((other) => ids[other] as string).filter((id) => /^s\d+$/.test(id));
  if (first !== undefined && random.chance(conditions / 3))
    edges.inputMapping = { score: `{{${first}.data.score}}` };
  if (!random.chance(conditions / 2)) return edges;
  const target = random.pick([place, ...ancestorsIn(shape, place)]);
  edges.rewindEdges = [
    {
      condition: "response.data.score < 0.4",
      targetStageId: ids[target] as string,
      maxTimes: random.int(1, 2),
    },
  ];
  return edges;
}

/** The last one cannot be evaluated: no answer has such a field. */
const conditionSources = [
  'response.status == "success"',
  'response.status == "success"',
  'response.status == "failure"',
  "response.data.score > 0.3",
  "response.data.missing > 1",
] as const;
