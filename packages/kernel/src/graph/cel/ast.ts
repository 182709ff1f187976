import { parse } from "@bufbuild/cel";
import { graphLimits } from "../limits.ts";
import { type GraphProblem, type GraphProblemCode, positionAt } from "../problem.ts";
import { scanBrackets } from "./scan-brackets.ts";

export type Expr = ReturnType<typeof parse>["expr"];
type Part<Case extends string> = Extract<Expr["exprKind"], { case: Case }>["value"];
export type Call = Part<"callExpr">;
export type Select = Part<"selectExpr">;
export type Struct = Part<"structExpr">;
export type Comprehension = Part<"comprehensionExpr">;

/** A parsed condition. */
export interface Ast {
  readonly source: string;
  readonly root: Expr;
  /** Offsets in the source, by id of the expression. */
  readonly positions: Readonly<Record<string, number>>;
}

/** Ends the compilation of a condition; never leaves this folder. */
export class ConditionFault extends Error {
  readonly problem: GraphProblem;
  constructor(source: string, code: GraphProblemCode, offset: number, message: string, fix: string) {
    super(message);
    this.problem = {
      code,
      at: "",
      message,
      fix,
      position: positionAt(source, Math.min(offset, source.length)),
    };
  }
}

export function parseCondition(source: string): Ast {
  if (source.length > graphLimits.conditionChars) {
    const message = `a condition of ${source.length} characters is more than the ${graphLimits.conditionChars} that are allowed`;
    throw new ConditionFault(source, "BATON-GRAPH-002", graphLimits.conditionChars, message, simplify);
  }
  if (source.trim() === "") {
    const fix = 'leave the condition out, or write one such as response.status == "success"';
    throw new ConditionFault(source, "BATON-GRAPH-001", 0, "the condition is empty", fix);
  }
  const fault = scanBrackets(source);
  if (fault) {
    const code = fault.tooDeep ? "BATON-GRAPH-002" : "BATON-GRAPH-001";
    throw new ConditionFault(source, code, fault.offset, fault.message, fault.fix);
  }
  const { expr, sourceInfo } = parseOrFault(source);
  const positions = sourceInfo?.positions ?? {};
  checkSize(source, expr, positions);
  return { source, root: expr, positions };
}

const simplify = "split the condition over several edges or nodes";

function parseOrFault(source: string): ReturnType<typeof parse> {
  try {
    // The parser requires a line break after a comment, even at the end.
    return parse(`${source}\n`);
  } catch (error) {
    const { location, rawMessage, message } = error as Partial<ParserError> & Error;
    const offset = location?.start.offset ?? 0;
    const fix = 'write a CEL expression such as response.data.score > 0.8 && response.status == "success"';
    throw new ConditionFault(
      source,
      "BATON-GRAPH-001",
      offset,
      `not a CEL expression: ${rawMessage ?? message}`,
      fix,
    );
  }
}

/** The error of the parser, whose class is not exported. */
interface ParserError {
  readonly rawMessage: string;
  readonly location: { readonly start: { readonly offset: number } };
}

/** Counts the nodes, without recursion: a chain of a thousand operators is as deep as it is long. */
function checkSize(source: string, root: Expr, positions: Ast["positions"]): void {
  const left: [expr: Expr, depth: number][] = [[root, 1]];
  let count = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [expr, depth] = next;
    count++;
    const { conditionDepth, conditionNodes } = graphLimits;
    const excess =
      depth > conditionDepth
        ? `nested deeper than ${conditionDepth}`
        : count > conditionNodes
          ? `of more than ${conditionNodes} parts`
          : undefined;
    if (excess) {
      const offset = positions[String(expr.id)] ?? 0;
      throw new ConditionFault(source, "BATON-GRAPH-002", offset, `the condition is ${excess}`, simplify);
    }
    for (const child of childrenOf(expr)) left.push([child, depth + 1]);
  }
}

export function childrenOf({ exprKind }: Expr): readonly Expr[] {
  switch (exprKind.case) {
    case "selectExpr":
      return present([exprKind.value.operand]);
    case "callExpr":
      return present([exprKind.value.target, ...exprKind.value.args]);
    case "listExpr":
      return exprKind.value.elements;
    case "structExpr":
      return exprKind.value.entries.flatMap(({ keyKind, value }) =>
        present([keyKind.case === "mapKey" ? keyKind.value : undefined, value]),
      );
    case "comprehensionExpr": {
      const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value;
      return present([iterRange, accuInit, loopCondition, loopStep, result]);
    }
    default:
      return [];
  }
}

function present(exprs: readonly (Expr | undefined)[]): Expr[] {
  return exprs.filter((expr) => expr !== undefined);
}
