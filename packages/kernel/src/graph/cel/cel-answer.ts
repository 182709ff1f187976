import { type CelMap, type CelValue, celError } from "@bufbuild/cel";
import type { NodeOutput } from "../scope.ts";
import { celFromJson } from "./cel-json.ts";
import { type MapKey, MeteredMap } from "./cel-map.ts";

/** The readable fields of an answer (SACP §2.1). */
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
    // Returned, not thrown: || and && can absorb a returned error, a thrown one ends the evaluation.
    if (!this.#output) return celError(`${this.#who} did not run`) as unknown as CelValue;
    return readers.get(key)?.(this.#output);
  }

  /** `next_step_hint` is the only optional field. */
  has(key: MapKey): boolean {
    if (key === "next_step_hint") return (this.#output?.nextStepHint ?? "") !== "";
    return key === "ran" || (this.#output !== undefined && readers.has(key));
  }

  protected names(): readonly string[] {
    return this.#output ? answerFields : [];
  }
}

/** The answers of all nodes. Compilation has checked the names. */
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
