import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { offsetOf, unclosedBracket } from "@baton/kernel/deciding";
import type * as Yaml from "yaml";
import { type ConfigProblem, reasonOf } from "./problem.ts";

/** Loaded on demand: a hub without configuration files starts a tenth faster. */
function yaml(): typeof Yaml {
  return createRequire(import.meta.url)("yaml");
}

export interface YamlFile {
  readonly value: unknown;
  /** Converts the path of a value, such as `routes[0].task_type`, to `file:line:column`. */
  positionOf(path: string): string;
}

export type YamlReading =
  | { readonly ok: true; readonly file: YamlFile }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** More than people write by hand. The limit on aliases stops exponential expansion. */
const maxBytes = 1024 * 1024;
const maxAliases = 100;
const maxBrackets = 100;
/** After fixing these, a person checks again. */
const maxErrors = 10;

export type TextReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: ConfigProblem };

export function readYamlFile(path: string): YamlReading {
  const reading = readText(path);
  return reading.ok ? parseYaml(path, reading.text) : refused(reading.problem);
}

export function readText(path: string): TextReading {
  const refuse = (message: string, fix: string): TextReading => {
    return { ok: false, problem: { code: "BATON-SERVER-012", at: path, message, fix } };
  };
  try {
    const stats = statSync(path);
    // Reading a pipe or a device may never end.
    if (!stats.isFile()) return refuse("this is not a file", "name a file");
    if (stats.size > maxBytes)
      return refuse("the file is larger than 1 MiB", "split it, or remove what is not needed");
    const text = decodeText(readFileSync(path));
    return text === undefined
      ? refuse("the file is not UTF-8 text", "save it as UTF-8 text")
      : { ok: true, text };
  } catch (error) {
    return refuse(`the file cannot be read: ${reasonOf(error)}`, "name an existing, readable file");
  }
}

/** Undefined when the bytes are not UTF-8 text. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

export function parseYaml(path: string, text: string): YamlReading {
  const deep = findTooDeep(text);
  if (deep !== undefined) {
    const message = `brackets are nested deeper than ${maxBrackets}`;
    const before = text.slice(0, deep).split("\n");
    const at = `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
    return refused({ code: "BATON-CONFIG-001", at, message, fix: "close them, or reduce the nesting" });
  }
  const lines = new (yaml().LineCounter)();
  const document = yaml().parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  if (document.errors.length > 0) return { ok: false, problems: describeErrors(document, text, at) };
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    return {
      ok: true,
      file: { value, positionOf: (wanted) => at(offsetOf(document.contents, wanted) ?? 0) },
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return refused({
      code: "BATON-CONFIG-001",
      at: at(0),
      message,
      fix: "replace the aliases by what they refer to",
    });
  }
}

/** The offset of excessive nesting, on which a recursive parser runs out of stack. */
function findTooDeep(text: string): number | undefined {
  let open = 0;
  for (let index = 0; index < text.length; index++) {
    const letter = text[index];
    if (letter === "[" || letter === "{") open++;
    else if ((letter === "]" || letter === "}") && open > 0) open--;
    if (open > maxBrackets) return index;
  }
  return undefined;
}

/** One error causes others at its position and after it; only the first at each position is reported. */
function describeErrors(
  { errors, contents }: Yaml.Document.Parsed,
  text: string,
  at: (offset: number) => string,
): readonly ConfigProblem[] {
  const byPosition = new Map<string, ConfigProblem>();
  for (const { code, message, pos } of errors) {
    const opened = unclosedBracket(contents, text, pos[0]);
    const position = at(opened ?? pos[0]);
    if (byPosition.has(position) || byPosition.size >= maxErrors) continue;
    const isMultiple = code === "MULTIPLE_DOCS";
    if (opened !== undefined) {
      byPosition.set(position, {
        ...{ code: "BATON-CONFIG-001", at: position },
        message: `the bracket ${text[opened]} is not closed`,
        fix: "close the bracket that opens there",
      });
      break; // Everything after it is misread.
    }
    byPosition.set(position, {
      ...{ code: "BATON-CONFIG-001", at: position },
      message: isMultiple ? "the file has several documents" : `this is not YAML: ${message}`,
      fix: isMultiple ? "keep only what comes before ---" : "correct the text at this position",
    });
  }
  return [...byPosition.values()];
}

function refused(problem: ConfigProblem): YamlReading {
  return { ok: false, problems: [problem] };
}
