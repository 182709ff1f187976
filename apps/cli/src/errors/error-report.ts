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
import { fromBareError, hubClasses, keyFix } from "./hub-answer.ts";

/** An error in its printed form, whatever its source. */
export interface ErrorReport {
  readonly detail: ErrorDetail;
  readonly at: string;
  readonly exitCode: number;
}

/** The report of anything that was thrown; undefined for an interruption, which is not reported. */
export function toErrorReport(error: unknown, hub: string): ErrorReport | undefined {
  if (error instanceof Interrupted) return undefined;
  if (error instanceof CliError) return fromCliError(error);
  if (error instanceof ConnectError) return fromHubError(error, hub);
  if (error instanceof ContractError) {
    return { detail: toErrorDetail(error), at: "", exitCode: exitCode.usage };
  }
  if (error instanceof CommanderError) return fromCliError(fromCommanderError(error));
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return fromCliError(
    new CliError("BATON-CLI-009", `this should not happen: ${message}`, {
      fix: "please report it, with the command you gave",
      cause: error,
    }),
  );
}

export function exitCodeOf(error: unknown, report: ErrorReport | undefined): number {
  return error instanceof Interrupted ? error.exitCode : (report?.exitCode ?? exitCode.unexpected);
}

function fromCliError(error: CliError): ErrorReport {
  return { detail: detailOf(error), at: error.at, exitCode: error.exitCode };
}

function detailOf({ code, message, fix, violations }: CliError): ErrorDetail {
  return create(ErrorDetailSchema, { code, message, fix, violations: violations.map(toFieldViolation) });
}

function toFieldViolation({ field, rule, message }: Violation): Violation {
  return { field, rule, message };
}

function fromHubError(error: ConnectError, hub: string): ErrorReport {
  const code = hubClasses[error.code];
  const [detail] = error.findDetails(ErrorDetailSchema);
  if (detail !== undefined && error.code === Code.Unauthenticated) detail.fix = keyFix;
  if (detail !== undefined) return { detail, at: "", exitCode: code ?? exitCode.unexpected };
  const report = fromCliError(fromBareError(error, hub));
  return { ...report, exitCode: code ?? report.exitCode };
}

/** `option '--limit <n>' argument '0' is invalid. Give …` */
const wrongValue = /^option '(.+?)' (?:value|argument) '(.*)'(?: from env '\w+')? is invalid\. (.*)$/s;

function lower(letter: string): string {
  return letter.toLowerCase();
}

/** Turns an error of the parser into one with code and fix. */
function fromCommanderError({ message }: CommanderError): CliError {
  const [problem = "", suggestion] = message.replace(/^error: /, "").split("\n");
  const [, option = "", value, wanted = ""] = wrongValue.exec(problem) ?? [];
  if (value !== undefined) {
    const name = /--[\w-]+/.exec(option)?.[0] ?? option;
    return new CliError("BATON-CLI-001", `${name} does not accept "${value}"`, {
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
    fix: meant === undefined ? "list the commands with --help" : `did you mean ${meant}?`,
  });
}
