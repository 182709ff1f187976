import { EdgeJoin, EdgeKind } from "@baton/contract";
import type { Random } from "../chance/random.ts";
import { ancestorsIn, type Shape } from "./shape.ts";
import type { ConfigInit, Flavour } from "./stage-config.ts";

/** Conditions on earlier responses, an error stage, rewind edges. */
export function drawEdges(
  shape: Shape,
  ids: readonly string[],
  place: number,
  { conditions }: Flavour,
  random: Random,
): ConfigInit {
  const before = shape[place] ?? [];
  const edges: ConfigInit = {};
  if (before.length > 0 && random.chance(conditions)) {
    if (random.chance(0.5)) edges.condition = random.pick(conditionSources);
    else
      Object.assign(
        edges,
        drawIncoming(
          before.map((other) => ids[other] as string),
          random,
        ),
      );
    // A stage with a condition cannot be required; sometimes it is, and has to be refused.
    if (!random.chance(0.03)) edges.required = false;
  }
  const after = shape.flatMap((others, other) => (others.includes(place) ? [other] : []));
  if (after.length > 0 && random.chance(conditions / 2))
    edges.errorStageId = ids[random.pick(after)] as string;
  const [first] = before.map((other) => ids[other] as string).filter((id) => /^s\d+$/.test(id));
  if (first !== undefined && random.chance(conditions / 3))
    edges.inputMapping = { score: `{{${first}.data.score}}` };
  if (!random.chance(conditions / 2)) return edges;
  // An edge to a stage that is no ancestor has to be refused or have no effect.
  const anywhere = random.chance(0.03);
  const target = anywhere
    ? random.int(0, shape.length - 1)
    : random.pick([place, ...ancestorsIn(shape, place)]);
  edges.rewindEdges = [
    {
      condition: random.pick(["response.data.score < 0.4", 'response.status == "retry_with_instruction"']),
      targetStageId: ids[target] as string,
      maxTimes: random.int(1, 2),
    },
  ];
  return edges;
}

/** An edge from each dependency, and how many of them must be taken. */
function drawIncoming(before: readonly string[], random: Random): ConfigInit {
  return {
    join: random.pick([EdgeJoin.UNSPECIFIED, EdgeJoin.ANY, EdgeJoin.ALL]),
    edges: before.map((fromStageId) => ({
      fromStageId,
      kind: random.weighted([
        [EdgeKind.DEFAULT, 4],
        [EdgeKind.ERROR, 1],
      ]),
      condition: random.chance(0.5) ? "" : random.pick(conditionSources),
    })),
  };
}

/** The last one cannot be evaluated, since no response has the field. */
const conditionSources = [
  'response.status == "success"',
  'response.status == "success"',
  'response.status == "failure"',
  "response.data.score > 0.3",
  "response.data.missing > 1",
] as const;
