import { type EdgeDecision, EdgeKind } from "@baton/contract/forms";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** The values that a decision read, as `response.data.score = 0.9`. */
export function describeValues({ values = {} }: Pick<EdgeDecision, "values">): readonly string[] {
  return leavesOf(values, "");
}

function leavesOf(value: JsonObject, before: string): readonly string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const text = `${before}${stepOf(name, before)}`;
    return isObject(member) && Object.keys(member).length > 0
      ? leavesOf(member, text)
      : [`${text} = ${JSON.stringify(member)}`];
  });
}

function stepOf(name: string, before: string): string {
  if (before === "") return /^[A-Za-z_]\w*$/.test(name) ? name : `nodes[${JSON.stringify(name)}]`;
  if (/^\d+$/.test(name)) return `[${name}]`;
  return /^\w+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A decision about an edge in a line: whether it was taken, why, and what it read. */
export function describeEdge(decision: EdgeDecision): string {
  const { kind, fromStageId, toStageId, taken, reason, condition, timesTaken, maxTimes } = decision;
  const isBack = kind === EdgeKind.BACK;
  const name = isBack
    ? `edge back to "${toStageId}"`
    : `${kind === EdgeKind.ERROR ? "error edge" : "edge"} from "${fromStageId}"`;
  const times = isBack && taken ? ` (${timesTaken} of ${maxTimes})` : "";
  const why = reason === "" ? "" : taken ? `: ${reason}` : `, ${reason}`;
  const values = describeValues(decision);
  const read = values.length === 0 ? "" : ` (${values.join(", ")})`;
  const when = condition === "" ? "" : `; condition ${condition}${read}`;
  return `${name}: ${taken ? "taken" : "not taken"}${times}${why}${when}`;
}
