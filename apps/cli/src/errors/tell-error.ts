import {
  ContractError,
  type ErrorDetail,
  ErrorDetailSchema,
  toErrorDetail,
  type Violation,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { CommanderError } from "commander";
import { exitCode } from "../exit-code.ts";
import { Interrupted } from "../interruption.ts";
import { CliError } from "./cli-error.ts";
import { hubClasses, keyFix, withoutDetail } from "./hub-answer.ts";

/** An error as it is told: in one form, wherever it comes from. */
export interface Told {
  readonly detail: ErrorDetail;
  readonly at: string;
  readonly exitCode: number;
}

/** What a person is told of anything that was thrown; undefined when there is nothing to tell. */
export function tellError(error: unknown, hub: string): Told | undefined {
  if (error instanceof Interrupted) return undefined;
  if (error instanceof CliError) return ours(error);
  if (error instanceof ConnectError) return ofHub(error, hub);
  if (error instanceof ContractError) {
    return { detail: toErrorDetail(error), at: "", exitCode: exitCode.usage };
  }
  if (error instanceof CommanderError) return ours(calledWrongly(error));
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return ours(
    new CliError("BATON-CLI-009", `this should not happen: ${message}`, {
      fix: "please report it, with the command you gave",
      cause: error,
    }),
  );
}

export function exitCodeOf(error: unknown, told: Told | undefined): number {
  return error instanceof Interrupted ? error.exitCode : (told?.exitCode ?? exitCode.unexpected);
}

function ours(error: CliError): Told {
  return { detail: detailOf(error), at: error.at, exitCode: error.exitCode };
}

function detailOf({ code, message, fix, violations }: CliError): ErrorDetail {
  return create(ErrorDetailSchema, { code, message, fix, violations: violations.map(copyOf) });
}

function copyOf({ field, rule, message }: Violation): Violation {
  return { field, rule, message };
}

function ofHub(error: ConnectError, hub: string): Told {
  const code = hubClasses[error.code];
  const [detail] = error.findDetails(ErrorDetailSchema);
  if (detail !== undefined && error.code === Code.Unauthenticated) detail.fix = keyFix;
  if (detail !== undefined) return { detail, at: "", exitCode: code ?? exitCode.unexpected };
  const told = ours(withoutDetail(error, hub));
  return { ...told, exitCode: code ?? told.exitCode };
}

/** `option '--limit <n>' argument '0' is invalid. Give …` */
const wrongValue = /^option '(.+?)' (?:value|argument) '(.*)'(?: from env '\w+')? is invalid\. (.*)$/s;

function lower(letter: string): string {
  return letter.toLowerCase();
}

/** The parser's own words, in our form. */
function calledWrongly({ message }: CommanderError): CliError {
  const [problem = "", suggestion] = message.replace(/^error: /, "").split("\n");
  const [, option = "", value, wanted = ""] = wrongValue.exec(problem) ?? [];
  if (value !== undefined) {
    const name = /--[\w-]+/.exec(option)?.[0] ?? option;
    return new CliError("BATON-CLI-001", `"${value}" is nothing that ${name} takes`, {
      fix: wanted
        .replace(/\.$/, "")
        .replace(/^Allowed choices are /, "give one of: ")
        .replace(/^[A-Z]/, lower),
    });
  }
  const [, needed, name] = /^required option '((--[\w-]+).*)' not specified$/.exec(problem) ?? [];
  if (needed !== undefined) {
    return new CliError("BATON-CLI-001", `${name} is missing`, {
      fix: `add ${needed}; --help shows an example`,
    });
  }
  const meant = /^\(Did you mean (.*)\?\)$/.exec(suggestion ?? "")?.[1];
  return new CliError("BATON-CLI-001", problem.replaceAll("'", '"'), {
    fix: meant === undefined ? "see what there is with --help" : `did you mean ${meant}?`,
  });
}
