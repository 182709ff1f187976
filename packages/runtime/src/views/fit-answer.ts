/**
 * Answers that would be larger than a message may be. What agents returned is the only thing in them that grows without a
 * limit of its own: it is left out, the largest first, until the rest fits. The answer says what, and how large it is; each
 * can be read by itself.
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
import { redactionLimits } from "../filter/redaction-limits.ts";
import { type Measure, measure, surelyFits } from "./measure.ts";

/** Of JSON, which is the larger form. A little is left for what stands around it. */
const room: Measure = {
  bytes: defaultLimits.maxBytes - 16 * 1024,
  elements: redactionLimits.maxElements - 1_000,
};

export function fitAnswer(answer: Message): Message {
  if (isAttempt(answer)) return fitAttempt(answer);
  const lists = listsOf(answer);
  if (lists.length > 0) return surelyFits(answer, room) ? answer : fitLists(answer, lists);
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
  if (stages.every(({ result }) => result === undefined) || surelyFits(pipeline, room)) return pipeline;
  const results = stages.map(({ result }) => result && measure(AgentResultSchema, result));
  const bare = { ...pipeline, stages: stages.map(({ result: _, ...stage }) => stage) };
  const isLeftOut = tooMuch(results, measure(PipelineSchema, bare));
  if (isLeftOut.size === 0) return pipeline;
  return {
    ...pipeline,
    stages: stages.map((stage, place) => {
      if (!isLeftOut.has(place)) return stage;
      const { result: _, ...rest } = stage;
      return { ...rest, resultLeftOutBytes: results[place]?.bytes ?? 0 };
    }),
  };
}

interface Listed {
  readonly name: string;
  readonly schema: DescMessage;
}

/** Lists without pages, of which the last are told when there are very many. */
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

/** The last of each list, as many as fit into its share. */
function fitLists(answer: Message, listed: readonly Listed[]): Message {
  const fitting = listed.map(({ name, schema }) => {
    const items = Reflect.get(answer, name) as readonly MessageShape<DescMessage>[];
    let [bytes, elements] = [room.bytes / listed.length, room.elements / listed.length];
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

/** A part that is there alone stays, however large: in binary form it is no larger than the message that it came with. */
function fitAttempt(answer: GetAttemptResponse): GetAttemptResponse {
  const present = parts.filter(({ name }) => answer[name] !== undefined);
  if (present.length < 2 || surelyFits(answer, room)) return answer;
  const sizes = present.map(({ name, schema }) => measure(schema, answer[name] as MessageShape<DescMessage>));
  const isLeftOut = tooMuch(sizes, measure(GetAttemptResponseSchema, without(answer, present)));
  const gone = present.filter((_, place) => isLeftOut.has(place));
  const leftOut = [...isLeftOut].map((place): LeftOutPart => {
    const part = present[place]?.part ?? AttemptPart.UNSPECIFIED;
    return create(LeftOutPartSchema, { part, bytes: sizes[place]?.bytes ?? 0 });
  });
  return { ...without(answer, gone), leftOut: [...answer.leftOut, ...leftOut] };
}

/** Only one part of it, besides the summary. */
export function onlyPart(answer: GetAttemptResponse, wanted: AttemptPart): GetAttemptResponse {
  if (wanted === AttemptPart.UNSPECIFIED) return answer;
  const others = parts.filter(({ part }) => part !== wanted);
  return { ...without(answer, others), explanation: "", disregarded: [] };
}

function without(answer: GetAttemptResponse, gone: readonly { readonly name: PartName }[]) {
  const names = new Set<string>(gone.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(answer).filter(([name]) => !names.has(name)),
  ) as unknown as GetAttemptResponse;
}

/** The places of the largest, as many as have to go. */
function tooMuch(sizes: readonly (Measure | undefined)[], base: Measure): ReadonlySet<number> {
  const largest = sizes
    .flatMap((size, place) => (size ? [{ ...size, place }] : []))
    .toSorted((a, b) => b.bytes - a.bytes);
  const left = { bytes: room.bytes - base.bytes, elements: room.elements - base.elements };
  for (const { bytes, elements } of largest) {
    left.bytes -= bytes;
    left.elements -= elements;
  }
  const gone = new Set<number>();
  for (const { place, bytes, elements } of largest) {
    if (left.bytes >= 0 && left.elements >= 0) break;
    gone.add(place);
    left.bytes += bytes;
    left.elements += elements;
  }
  return gone;
}
