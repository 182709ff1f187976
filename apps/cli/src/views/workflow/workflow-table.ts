import type { Template } from "@baton/contract/forms";
import { piece } from "../../terminal/paint.ts";
import { type Column, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { outgoingOf } from "./graph-view.ts";

const columns: readonly Column[] = [
  { heading: "WORKFLOW" },
  { heading: "NODES", right: true },
  { heading: "EDGES", right: true },
  { heading: "ENDS", spare: true },
  { heading: "TITLE", flexible: true },
];

export function renderWorkflows(terminal: Terminal, workflows: readonly Template[]): readonly string[] {
  return renderTable(
    terminal,
    columns,
    workflows.map(({ templateId, name, stages, endStages }) => {
      const edges = [...outgoingOf(stages).values()].reduce((sum, { length }) => sum + length, 0);
      return [
        piece(templateId),
        piece(String(stages.length)),
        piece(String(edges)),
        piece(endStages.join(", ")),
        piece(name === templateId ? "" : name),
      ];
    }),
  );
}
