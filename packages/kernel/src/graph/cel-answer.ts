import { type CelMap, type CelValue, celError } from "@bufbuild/cel";
import { celFromJson } from "./cel-json.ts";
import { type MapKey, MeteredMap } from "./cel-map.ts";
import type { NodeOutput } from "./scope.ts";

/** The fields of an answer that a condition may read (SACP §2.1), and how. */
const readers = new Map<MapKey, (output: NodeOutput) => CelValue>([
  ["status", ({ status }) => status],
  ["data", ({ data }) => celFromJson(data)],
  ["message", ({ message }) => celFromJson(message)],
  ["next_step_hint", ({ nextStepHint }) => celFromJson(nextStepHint)],
]);
export const answerFields: readonly string[] = [...readers.keys()].map(String);

class AnswerMap extends MeteredMap {
  readonly #who: string;
  readonly #output: NodeOutput | undefined;

  constructor(who: string, output: NodeOutput | undefined) {
    super();
    this.#who = who;
    this.#output = output;
  }

  get(key: MapKey): CelValue | undefined {
    if (key === "ran") return this.#output !== undefined;
    // An error that is returned is weighed by || and &&; one that is thrown would end the evaluation.
    if (!this.#output) return celError(`${this.#who} did not run`) as unknown as CelValue;
    return readers.get(key)?.(this.#output);
  }

  /** `next_step_hint` is the one field that an answer may leave out. */
  has(key: MapKey): boolean {
    if (key === "next_step_hint") return (this.#output?.nextStepHint ?? "") !== "";
    return key === "ran" || (this.#output !== undefined && readers.has(key));
  }

  protected names(): readonly string[] {
    return this.#output ? answerFields : [];
  }
}

/** The answers of all nodes. Which nodes there are was checked when the condition was compiled. */
class NodesMap extends MeteredMap {
  readonly #nodes: ReadonlyMap<string, NodeOutput>;

  constructor(nodes: ReadonlyMap<string, NodeOutput>) {
    super();
    this.#nodes = nodes;
  }

  get(key: MapKey): CelValue {
    return celFromNode(String(key), this.#nodes.get(String(key)));
  }

  has(): boolean {
    return true;
  }

  protected names(): readonly string[] {
    return [...this.#nodes.keys()];
  }
}

export function celFromResponse(output: NodeOutput | undefined): CelMap {
  return new AnswerMap("the node before", output).asCel();
}

export function celFromNode(id: string, output: NodeOutput | undefined): CelMap {
  return new AnswerMap(`node ${JSON.stringify(id)}`, output).asCel();
}

export function celFromNodes(nodes: ReadonlyMap<string, NodeOutput>): CelMap {
  return new NodesMap(nodes).asCel();
}
