import { describe, expect, it } from "vitest";
import { parseYaml } from "./yaml-file.ts";

const text = `routes:
  - taskType: build
    allowed.packs: [a, b]
  - task_type: review
labels: { team: core, "a b": 1 }
empty:
`;

describe("the position of a path in a file", () => {
  it.each([
    ["routes", "1:1"],
    ["routes[0].task_type", "2:5"],
    ["routes[1].taskType", "4:5"],
    ["routes[0].allowed.packs[1]", "3:24"],
    ['labels["a b"]', "5:23"],
    ["empty.field", "6:1"],
    ["routes[7].task_type", "1:1"],
    ["labels.unknown", "5:1"],
    ["", "1:1"],
  ])("is that of its key or item, else of its parent: %j", (path, expected) => {
    const reading = parseYaml("a.yaml", text);
    if (!reading.ok) throw new Error("the text is YAML");
    expect(reading.file.positionOf(path)).toBe(`a.yaml:${expected}`);
  });
});
