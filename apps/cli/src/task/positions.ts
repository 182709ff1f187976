import { offsetOf } from "@baton/kernel/deciding";
import type { Document, LineCounter } from "yaml";

/** The position of a field in the file, as `task.yaml:3:5`; of a missing field, that of its parent. */
export type Positions = (field: string) => string;

export function positionsIn(name: string, document: Document, lines: LineCounter): Positions {
  return (field) => {
    const offset = offsetOf(document.contents, field);
    if (offset === undefined) return name;
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
}
