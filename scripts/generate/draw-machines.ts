/** Draws the machines of the kernel from their tables: `node scripts/generate/draw-machines.ts [output root]`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  breakerTransitions,
  leaseTransitions,
  pipelineTransitions,
  stageTransitions,
  standingTransitions,
} from "@baton/kernel";

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

const machines: readonly (readonly [title: string, clause: string, table: Table, text: string])[] = [
  [
    "A pipeline",
    "A §4.5",
    pipelineTransitions,
    "Abort of a running pipeline takes two steps of one decision, so that the lifecycle stays as the specification has it. A person's rewind to a transition (TUR-08) is no arrow: in one record it puts the pipeline and all its stages to where they stood, from wherever they are.",
  ],
  [
    "A stage",
    "A §4.5, §4.6",
    stageTransitions,
    "`rewind` goes through REJECTED, which is a step and never a resting state. `prune` is for a stage that can no longer become READY: what it depends on was skipped, or its condition is false; or another stage has ended the workflow and nothing required needs it.",
  ],
  [
    "The lease of an instance",
    "A §3.1 layer 2",
    leaseTransitions,
    "An instance that is not LIVE is no candidate, and its dispatches are lost.",
  ],
  [
    "The standing of an instance",
    "A §3.2 step 7",
    standingTransitions,
    "Three invalid results in a row quarantine an instance; only an operator lets it in again.",
  ],
  [
    "A circuit breaker",
    "A §3.1 admission",
    breakerTransitions,
    "There is one for each type of task and one for each pack. Half open, it lets one dispatch through at a time, and is half open until that has ended. A failure that an error edge of a workflow takes does not count.",
  ],
];

function draw([title, clause, table, text]: (typeof machines)[number]): string {
  const name = (state: string) => state.replaceAll("-", "_");
  const arrows = Object.entries(table).flatMap(([from, events]) =>
    Object.entries(events).map(([event, to]) => `    ${name(from)} --> ${name(to)}: ${event}`),
  );
  const rows = Object.entries(table).flatMap(([from, events]) =>
    Object.entries(events).map(([event, to]) => `| ${from} | ${event} | ${to} |`),
  );
  return [
    `## ${title}`,
    "",
    `${clause}. ${text}`,
    "",
    "```mermaid",
    "stateDiagram-v2",
    ...arrows,
    "```",
    "",
    "| from | event | to |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

const page = [
  "# The machines",
  "",
  "Generated from the tables in `packages/kernel/src` by `npm run generate`; it is not edited by hand. What is not in a",
  "table cannot happen: a move that the table does not have does not compile.",
  "",
  ...machines.map(draw),
].join("\n");

const [, , outputRoot = join(import.meta.dirname, "../..")] = process.argv;
const file = join(outputRoot, "docs/reference/machines.md");
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${page.trimEnd()}\n`);
