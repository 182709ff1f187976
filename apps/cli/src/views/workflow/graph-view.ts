import { EdgeJoin, EdgeKind, type Stage, type Template } from "@baton/contract/forms";
import { type Piece, paint, piece, signsOf } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { pad, widthOf } from "../../terminal/width.ts";
import { asciiLanes, drawLanes, type LaneRows, unicodeLanes } from "./lanes.ts";

/** Lanes that leave room for text; a wider graph is a list of nodes with their edges. */
const laneShare = 1 / 3;
/** In a pipe, where lines have no width. */
const mostLanes = 24;

/** Draws a workflow: its nodes from the top down, the edges between them, and their conditions. */
export function renderGraph(terminal: Terminal, template: Template): readonly string[] {
  const { templateId, name, description, stages, endStages } = template;
  const title = name === "" || name === templateId ? templateId : `${templateId}  ${name}`;
  const heading = [
    paint(terminal, piece(title, "strong")),
    ...(description === "" ? [] : [paint(terminal, piece(description, "quiet"))]),
    "",
  ];
  const outgoing = outgoingOf(stages);
  const lanes = lanesOf(terminal, stages, outgoing);
  const ends = new Set(endStages);
  const body = stages.flatMap((stage, at) => {
    const rows = lanes?.[at] ?? { node: signsOf(terminal).busy, edges: "", fan: undefined };
    return renderNode(terminal, stage, {
      rows,
      edges: outgoing.get(stage.stageId) ?? [],
      isEnd: ends.has(stage.stageId),
    });
  });
  return [...heading, ...body];
}

interface Outgoing {
  readonly to: string;
  readonly kind: EdgeKind;
  readonly condition: string;
  readonly maxTimes: number;
}

/** The edges by the node that they leave; dependencies of a template are edges without a condition. */
export function outgoingOf(stages: readonly Stage[]): ReadonlyMap<string, readonly Outgoing[]> {
  const all = stages.flatMap(({ stageId, config }): (Outgoing & { readonly from: string })[] => {
    const edges = config?.edges ?? [];
    const forward =
      edges.length > 0
        ? edges.map(({ fromStageId, kind, condition }) => ({ from: fromStageId, kind, condition }))
        : (config?.dependsOnStages ?? []).map((from) => ({
            ...{ from, kind: EdgeKind.DEFAULT, condition: config?.condition ?? "" },
          }));
    const back = (config?.rewindEdges ?? []).map(({ targetStageId, condition, maxTimes }) => ({
      ...{ from: stageId, to: targetStageId, kind: EdgeKind.BACK, condition, maxTimes },
    }));
    return [...forward.map((edge) => ({ ...edge, to: stageId, maxTimes: 0 })), ...back];
  });
  return Map.groupBy(all, ({ from }) => from);
}

function lanesOf(
  terminal: Terminal,
  stages: readonly Stage[],
  outgoing: ReadonlyMap<string, readonly Outgoing[]>,
): readonly LaneRows[] | undefined {
  const nodes = stages.map(({ stageId }) => {
    const forward = (outgoing.get(stageId) ?? []).filter(({ kind }) => kind !== EdgeKind.BACK);
    return { id: stageId, targets: [...new Set(forward.map(({ to }) => to))] };
  });
  const lanes = drawLanes(nodes, terminal.unicode ? unicodeLanes : asciiLanes);
  const widest = lanes.reduce((most, { node, fan = "" }) => Math.max(most, widthOf(node), widthOf(fan)), 0);
  const room = Number.isFinite(terminal.columns) ? terminal.columns * laneShare : mostLanes * 2;
  return widest <= room ? lanes : undefined;
}

interface NodeParts {
  readonly rows: LaneRows;
  readonly edges: readonly Outgoing[];
  readonly isEnd: boolean;
}

function renderNode(terminal: Terminal, stage: Stage, { rows, edges, isEnd }: NodeParts): readonly string[] {
  const { stageId, stageName, taskType, config } = stage;
  const facts = [
    taskType,
    ...(config?.packId ? [`pack ${config.packId}`] : []),
    ...(config?.join === EdgeJoin.ALL ? ["joins all"] : []),
    ...(isEnd ? ["end"] : []),
  ].join(", ");
  const name = stageName !== "" && stageName !== stageId ? ` (${stageName})` : "";
  const [first, ...more] = wordsOf(facts, "quiet");
  const words = [...wordsOf(`${stageId}${name}`, "strong"), piece(` ${first?.text ?? ""}`, "quiet"), ...more];
  const lines = wrap(terminal, { first: `${rows.node} `, rest: `${rows.edges} `, indent: 0 }, words);
  const isBack = ({ kind }: Outgoing) => kind === EdgeKind.BACK;
  const ordered = [...edges.filter((edge) => !isBack(edge)), ...edges.filter(isBack)];
  const described = ordered.flatMap((edge) =>
    wrap(terminal, { first: `${rows.edges} `, rest: `${rows.edges} `, indent: 2 }, edgeWords(terminal, edge)),
  );
  return [...lines, ...described, ...(rows.fan === undefined ? [] : [rows.fan])];
}

function edgeWords(terminal: Terminal, { to, kind, condition, maxTimes }: Outgoing): readonly Piece[] {
  const { arrow } = signsOf(terminal);
  const onRequest = condition === 'response.status == "retry_with_instruction"';
  const when = condition === "" || onRequest ? [] : [...wordsOf("if"), ...wordsOf(condition, "busy")];
  switch (kind) {
    case EdgeKind.BACK: {
      const times = maxTimes === 1 ? "once" : `${maxTimes} times`;
      const why = onRequest ? wordsOf("when it asks for another try") : when;
      return [...wordsOf(`back to ${to}`, "asks"), ...wordsOf(`at most ${times}`), ...why];
    }
    case EdgeKind.ERROR:
      return [...wordsOf(`${arrow} ${to}`), ...wordsOf("on failure", "bad"), ...when];
    default:
      return [...wordsOf(`${arrow} ${to}`), ...when];
  }
}

function wordsOf(text: string, tone: Piece["tone"] = "plain"): readonly Piece[] {
  return text.split(/\s+/).flatMap((word) => (word === "" ? [] : [piece(word, tone)]));
}

const hanging = "  ";

/** Words on as many lines as they need, each after the lanes. */
function wrap(
  terminal: Terminal,
  { first, rest, indent }: { readonly first: string; readonly rest: string; readonly indent: number },
  words: readonly Piece[],
): readonly string[] {
  const left = " ".repeat(indent);
  const width = Math.max(widthOf(first), widthOf(rest));
  const room = Math.max(12, terminal.columns - width - indent - hanging.length);
  const lines: Piece[][] = [[]];
  let used = 0;
  for (const word of words) {
    const needed = widthOf(word.text) + (used === 0 ? 0 : 1);
    if (used > 0 && used + needed > room) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)?.push(word);
    used += widthOf(word.text) + (used === 0 ? 0 : 1);
  }
  return lines.map((line, at) => {
    const text = line.map((word) => paint(terminal, word)).join(" ");
    const start = at === 0 ? first : `${rest}${hanging}`;
    return `${pad(start, width)}${left}${text}`.trimEnd();
  });
}
