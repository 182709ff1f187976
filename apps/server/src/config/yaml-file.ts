import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { unclosedBracket } from "@baton/kernel/deciding";
import type * as Yaml from "yaml";
import { type ConfigProblem, reasonOf } from "./problem.ts";

/** A hub without files does not need it, and would be a tenth later for it. */
function yaml(): typeof Yaml {
  return createRequire(import.meta.url)("yaml");
}

/** A file that people write, as values and as places. */
export interface YamlFile {
  readonly value: unknown;
  /** Turns the path of a value, such as `routes[0].task_type`, into `file:line:column`. */
  place(path: string): string;
}

export type YamlReading =
  | { readonly ok: true; readonly file: YamlFile }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Nobody writes more by hand; and what is repeated by reference must not grow beyond all bounds. */
const mostBytes = 1024 * 1024;
const mostAliases = 100;
const mostBrackets = 100;
/** Who has mended these looks again. */
const mostErrors = 10;

export type TextReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: ConfigProblem };

export function readYamlFile(path: string): YamlReading {
  const reading = readText(path);
  return reading.ok ? parseYaml(path, reading.text) : refused(reading.problem);
}

export function readText(path: string): TextReading {
  const no = (message: string, fix: string): TextReading => {
    return { ok: false, problem: { code: "BATON-SERVER-012", at: path, message, fix } };
  };
  try {
    const found = statSync(path);
    // What is no file may never end, or never begin.
    if (!found.isFile()) return no("this is not a file", "name a file");
    if (found.size > mostBytes)
      return no("the file is larger than 1 MiB", "split it, or leave out what is not needed");
    const text = decodeText(readFileSync(path));
    return text === undefined
      ? no("the file is not text", "write it as text in UTF-8: an editor saves it so")
      : { ok: true, text };
  } catch (error) {
    return no(`the file cannot be read: ${reasonOf(error)}`, "name a file that is there and may be read");
  }
}

/** Undefined where the bytes are no text: a picture, a program, another encoding. */
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
    const message = `brackets are nested deeper than ${mostBrackets}`;
    const place = text.slice(0, deep).split("\n");
    const where = `${path}:${place.length}:${(place.at(-1)?.length ?? 0) + 1}`;
    return refused({ code: "BATON-CONFIG-001", at: where, message, fix: "close them, or write it flatter" });
  }
  const lines = new (yaml().LineCounter)();
  const document = yaml().parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  if (document.errors.length > 0) return { ok: false, problems: describeErrors(document, text, at) };
  try {
    const value: unknown = document.toJS({ maxAliasCount: mostAliases });
    return { ok: true, file: { value, place: (wanted) => at(offsetOf(document, wanted)) } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return refused({ code: "BATON-CONFIG-001", at: at(0), message, fix: "write out what is referred to" });
  }
}

/** Where brackets are open that no file needs: a parser that follows them runs out of stack. */
function findTooDeep(text: string): number | undefined {
  let open = 0;
  for (let index = 0; index < text.length; index++) {
    const letter = text[index];
    if (letter === "[" || letter === "{") open++;
    else if ((letter === "]" || letter === "}") && open > 0) open--;
    if (open > mostBrackets) return index;
  }
  return undefined;
}

/** One mistake leads to others at its place, and to many further on. */
function describeErrors(
  { errors, contents }: Yaml.Document.Parsed,
  text: string,
  at: (offset: number) => string,
): readonly ConfigProblem[] {
  const byPlace = new Map<string, ConfigProblem>();
  for (const { code, message, pos } of errors) {
    const opened = unclosedBracket(contents, text, pos[0]);
    const place = at(opened ?? pos[0]);
    if (byPlace.has(place) || byPlace.size >= mostErrors) continue;
    const several = code === "MULTIPLE_DOCS";
    if (opened !== undefined) {
      byPlace.set(place, {
        ...{ code: "BATON-CONFIG-001", at: place },
        message: `the bracket ${text[opened]} is not closed`,
        fix: "close the bracket that opens there",
      });
      break; // What follows it is read wrong.
    }
    byPlace.set(place, {
      ...{ code: "BATON-CONFIG-001", at: place },
      message: several ? "the file has several documents" : `this is not YAML: ${message}`,
      fix: several ? "keep what stands before ---" : "mend the text at this place",
    });
  }
  return [...byPlace.values()];
}

function refused(problem: ConfigProblem): YamlReading {
  return { ok: false, problems: [problem] };
}

/** Where the path leads to, or as near as it leads: what is missing is missed in what is there. */
function offsetOf(document: Yaml.Document.Parsed, path: string): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  let rest = path;
  while (rest !== "") {
    const step = stepInto(node, rest);
    if (step === undefined) break;
    ({ node, offset, rest } = step);
  }
  return offset;
}

interface Step {
  readonly node: unknown;
  readonly offset: number;
  readonly rest: string;
}

function stepInto(node: unknown, path: string): Step | undefined {
  const [whole, index] = /^\[(\d+)\]\.?/.exec(path) ?? [];
  if (whole !== undefined && yaml().isSeq(node)) {
    const item: unknown = node.items[Number(index)];
    return item === undefined
      ? undefined
      : { node: item, offset: startOf(item), rest: path.slice(whole.length) };
  }
  if (!yaml().isMap(node)) return undefined;
  for (const { key, value } of node.items) {
    const name = yaml().isScalar(key) ? String(key.value) : "";
    const rest = path.slice(name.length);
    // A key may have dots in it: what follows it tells where it ends.
    if (path.startsWith(name) && /^($|\.|\[)/.test(rest)) {
      return { node: value, offset: startOf(key), rest: rest.replace(/^\./, "") };
    }
  }
  return undefined;
}

function startOf(node: unknown): number {
  return (node as Yaml.Node | null)?.range?.[0] ?? 0;
}
