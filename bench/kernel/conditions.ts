/** Conditions of workflow graphs (SACP §4.1) beside the same comparison as a plain function: `node bench/kernel/conditions.ts`. */
import { compileCondition, evaluateCondition, type NodeOutput } from "@baton/kernel";
import { compare, printTable, time } from "../measure.ts";

const data = { score: 0.9, names: ["Alice", "Bob"], findings: findings(10) };
const response: NodeOutput = { status: "success", data, message: "done", nextStepHint: "" };
const scope = { response, nodes: new Map([["node_A", response]]) };

function findings(length: number) {
  return Array.from({ length }, (_, line) => ({ severity: "low", line }));
}

/** The floor looks at its input with the checks that a person would write. */
const cases: readonly (readonly [source: string, floor: () => boolean])[] = [
  ['response.status == "success"', () => response.status === "success"],
  ["response.data.score > 0.8", () => typeof data.score === "number" && data.score > 0.8],
  [
    'response.status == "success" && response.data.score > 0.8',
    () => response.status === "success" && typeof data.score === "number" && data.score > 0.8,
  ],
  [
    'node_A.ran && node_A.status == "success" && (node_A.data.score > 0.8)',
    () => {
      const node = scope.nodes.get("node_A");
      const score = node?.data.score;
      return node?.status === "success" && typeof score === "number" && score > 0.8;
    },
  ],
  [
    'response.data.findings.exists(f, f.severity == "high")',
    () => data.findings.some(({ severity }) => severity === "high"),
  ],
  ["response.data.missing > 0.8", () => "missing" in data],
];

function compiled(source: string) {
  const result = compileCondition(source, { nodes: ["node_A"] });
  if (!result.ok) throw new Error(result.problem.message);
  return result.condition;
}

export function benchConditions(): void {
  console.log("kernel: conditions, planned once, compared with a plain function; and compiled every time\n");
  printTable(
    cases.map(([source, floor]) => {
      const condition = compiled(source);
      const { ns, floorNs, ratio } = compare(() => evaluateCondition(condition, scope), floor);
      const unplanned = compare(() => evaluateCondition(compiled(source), scope), floor, 20);
      return {
        condition: source,
        "per second": Math.round(1e9 / ns).toLocaleString("en"),
        ns: ns.toFixed(0),
        "floor ns": floorNs.toFixed(1),
        ratio: ratio.toFixed(0),
        "unplanned us": (unplanned.ns / 1000).toFixed(0),
        "times planned": (unplanned.ns / ns).toFixed(0),
      };
    }),
  );

  console.log("\nconditions that ask for too much are stopped\n");
  const many = Array.from({ length: 20_000 }, () => "x".repeat(100));
  const text = "x".repeat(4 * 1024 * 1024);
  const hostile = [
    ["a list of 20,000", "response.data.many.exists(x, x.nothing)"],
    ["errors in a large macro", `response.data.many.exists(x, ${"x.a || ".repeat(80)}false)`],
    ["a literal list, errors", `[${"1,".repeat(300)}1].exists(x, ${"x.a || ".repeat(90)}false)`],
    ["lists that double", `response.data.many.map(x, [x])${".map(x, x + x)".repeat(10)}.size() > 0`],
    ["4 MiB of text in a macro", "response.data.many.exists(x, response.data.text.contains(x))"],
    ["a pattern", 'response.data.many.exists(x, x.matches("(x+x+)+y"))'],
  ] as const;
  printTable(
    hostile.map(([name, source]) => {
      const condition = compiled(source);
      const hostileScope = { response: { ...response, data: { many, text } }, nodes: new Map() };
      let answer = "";
      const ns = time(() => {
        const truth = evaluateCondition(condition, hostileScope);
        answer =
          truth.kind === "error"
            ? (/more than \d+ steps|field not found/.exec(truth.reason)?.[0] ?? "error")
            : truth.kind;
      }, 1);
      return { condition: name, ms: (ns / 1e6).toFixed(1), answer };
    }),
  );
}

if (import.meta.main) benchConditions();
