/**
 * Fits responses into the message limit. Only agents' results can grow without a limit of their own: the largest are
 * omitted until the rest fits. The response lists what was omitted with its size; each part can be read separately.
 */
import {
  AgentResultSchema,
  AttemptPart,
  AttemptSummarySchema,
  DispatchSnapshotSchema,
  defaultLimits,
  GateSnapshotSchema,
  type GetAttemptResponse,
  GetAttemptResponseSchema,
  GetAttemptsResponseSchema,
  GetTransitionsResponseSchema,
  type LeftOutPart,
  LeftOutPartSchema,
  type Pipeline,
  PipelineSchema,
  StageWaitSchema,
  TaskEnvelopeSchema,
  TransitionSchema,
} from "@baton/contract";
import { create, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import { type Measure, measure, surelyFits } from "../lib/measure-message.ts";
import { redactionLimits } from "../redaction/egress-filter.ts";

/** Limits of the JSON form, the larger one, minus some space for the envelope. */
const limits: Measure = {
  bytes: defaultLimits.maxBytes - 16 * 1024,
  elements: redactionLimits.maxElements - 1_000,
};

export function fitAnswer(answer: Message): Message {
  if (isAttempt(answer)) return fitAttempt(answer);
  const lists = listsOf(answer);
  if (lists.length > 0) return surelyFits(answer, limits) ? answer : fitLists(answer, lists);
  const { pipeline } = answer as { readonly pipeline?: Pipeline };
  if (pipeline?.$typeName !== PipelineSchema.typeName) return answer;
  const fitting = fitPipeline(pipeline);
  return fitting === pipeline ? answer : ({ ...answer, pipeline: fitting } as Message);
}

function isAttempt(answer: Message): answer is GetAttemptResponse {
  return answer.$typeName === GetAttemptResponseSchema.typeName;
}

function fitPipeline(pipeline: Pipeline): Pipeline {
  const { stages } = pipeline;
  if (stages.every(({ result }) => result === undefined) || surelyFits(pipeline, limits)) return pipeline;
  const results = stages.map(({ result }) => result && measure(AgentResultSchema, result));
  const bare = { ...pipeline, stages: stages.map(({ result: _, ...stage }) => stage) };
  const leftOutIndexes = largestParts(results, measure(PipelineSchema, bare));
  if (leftOutIndexes.size === 0) return pipeline;
  return {
    ...pipeline,
    stages: stages.map((stage, index) => {
      if (!leftOutIndexes.has(index)) return stage;
      const { result: _, ...rest } = stage;
      return { ...rest, resultLeftOutBytes: results[index]?.bytes ?? 0 };
    }),
  };
}

interface Listed {
  readonly name: string;
  readonly schema: DescMessage;
}

/** Lists without pages; of long ones, the last items are returned. */
const lists: Readonly<Record<string, readonly Listed[]>> = {
  [GetAttemptsResponseSchema.typeName]: [
    { name: "attempts", schema: AttemptSummarySchema },
    { name: "waits", schema: StageWaitSchema },
  ],
  [GetTransitionsResponseSchema.typeName]: [{ name: "transitions", schema: TransitionSchema }],
};

function listsOf({ $typeName }: Message): readonly Listed[] {
  return lists[$typeName] ?? [];
}

/** The last items of each list that fit into its share. */
function fitLists(answer: Message, listed: readonly Listed[]): Message {
  const fitting = listed.map(({ name, schema }) => {
    const items = Reflect.get(answer, name) as readonly MessageShape<DescMessage>[];
    let [bytes, elements] = [limits.bytes / listed.length, limits.elements / listed.length];
    const first = items.findLastIndex((item) => {
      const size = measure(schema, item);
      bytes -= size.bytes + 1;
      elements -= size.elements;
      return bytes < 0 || elements < 0;
    });
    return [name, items.slice(first + 1)];
  });
  return { ...answer, ...Object.fromEntries(fitting) };
}

type PartName = "envelope" | "result" | "gate" | "dispatch";

const parts: readonly {
  readonly name: PartName;
  readonly part: AttemptPart;
  readonly schema: DescMessage;
}[] = [
  { name: "envelope", part: AttemptPart.ENVELOPE, schema: TaskEnvelopeSchema },
  { name: "result", part: AttemptPart.RESULT, schema: AgentResultSchema },
  { name: "gate", part: AttemptPart.GATE, schema: GateSnapshotSchema },
  { name: "dispatch", part: AttemptPart.DISPATCH, schema: DispatchSnapshotSchema },
];

/** A single part stays at any size: in binary form it is no larger than the message that delivered it. */
function fitAttempt(answer: GetAttemptResponse): GetAttemptResponse {
  const present = parts.filter(({ name }) => answer[name] !== undefined);
  if (present.length < 2 || surelyFits(answer, limits)) return answer;
  const sizes = present.map(({ name, schema }) => measure(schema, answer[name] as MessageShape<DescMessage>));
  const leftOutIndexes = largestParts(sizes, measure(GetAttemptResponseSchema, without(answer, present)));
  const omitted = present.filter((_, index) => leftOutIndexes.has(index));
  const leftOut = [...leftOutIndexes].map((index): LeftOutPart => {
    const part = present[index]?.part ?? AttemptPart.UNSPECIFIED;
    return create(LeftOutPartSchema, { part, bytes: sizes[index]?.bytes ?? 0 });
  });
  return { ...without(answer, omitted), leftOut: [...answer.leftOut, ...leftOut] };
}

/** The summary and one part. */
export function onlyPart(answer: GetAttemptResponse, wanted: AttemptPart): GetAttemptResponse {
  if (wanted === AttemptPart.UNSPECIFIED) return answer;
  const others = parts.filter(({ part }) => part !== wanted);
  return { ...without(answer, others), explanation: "", disregarded: [] };
}

function without(answer: GetAttemptResponse, omitted: readonly { readonly name: PartName }[]) {
  const names = new Set<string>(omitted.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(answer).filter(([name]) => !names.has(name)),
  ) as unknown as GetAttemptResponse;
}

/** Indexes of the largest parts that must be omitted. */
function largestParts(sizes: readonly (Measure | undefined)[], base: Measure): ReadonlySet<number> {
  const largest = sizes
    .flatMap((size, index) => (size ? [{ ...size, index }] : []))
    .toSorted((a, b) => b.bytes - a.bytes);
  const left = { bytes: limits.bytes - base.bytes, elements: limits.elements - base.elements };
  for (const { bytes, elements } of largest) {
    left.bytes -= bytes;
    left.elements -= elements;
  }
  const omitted = new Set<number>();
  for (const { index, bytes, elements } of largest) {
    if (left.bytes >= 0 && left.elements >= 0) break;
    omitted.add(index);
    left.bytes += bytes;
    left.elements += elements;
  }
  return omitted;
}
