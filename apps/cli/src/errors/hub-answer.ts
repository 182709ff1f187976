import { Code, type ConnectError } from "@connectrpc/connect";
import { exitCode } from "../exit-code.ts";
import { CliError } from "./cli-error.ts";

/** The exit code for a status of the hub. */
export const hubClasses: Readonly<Partial<Record<Code, number>>> = {
  [Code.InvalidArgument]: exitCode.usage,
  [Code.OutOfRange]: exitCode.usage,
  [Code.NotFound]: exitCode.notFound,
  [Code.FailedPrecondition]: exitCode.refused,
  [Code.AlreadyExists]: exitCode.refused,
  [Code.Aborted]: exitCode.refused,
  [Code.Unavailable]: exitCode.unavailable,
  [Code.ResourceExhausted]: exitCode.unavailable,
  [Code.DeadlineExceeded]: exitCode.unavailable,
  [Code.Canceled]: exitCode.unavailable,
  [Code.Unauthenticated]: exitCode.denied,
  [Code.PermissionDenied]: exitCode.denied,
};

/** The hub's own fix names a header; here the key is an option or a variable. */
export const keyFix =
  "give a key of this hub: in a file that --api-key-file names, or in the variable BATON_API_KEY";

/** An error without a detail: the connection failed, or the server is not a hub of this version. */
export function fromBareError({ code, rawMessage, cause }: ConnectError, hub: string): CliError {
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (reason === "ECONNREFUSED") {
    return new CliError("BATON-CLI-003", `no hub listens at ${hub}`, {
      fix: "start one with: baton up   (or name another with --hub or BATON_HUB)",
    });
  }
  if (reason === "ENOTFOUND" || reason === "EAI_AGAIN") {
    return new CliError("BATON-CLI-003", `the name in ${hub} is not known`, {
      fix: "correct the address in --hub or BATON_HUB",
    });
  }
  if (reason === "EPROTO" || reason.startsWith("ERR_SSL")) {
    return new CliError("BATON-CLI-003", `what listens at ${hub} does not speak TLS`, {
      fix: `use ${hub.replace(/^https:/, "http:")}: a hub speaks plain text unless a proxy before it speaks TLS`,
    });
  }
  if (reason.startsWith("ERR_TLS") || /CERT|SIGNATURE/.test(reason)) {
    return new CliError("BATON-CLI-003", `the certificate of ${hub} cannot be trusted: ${reason}`, {
      fix: "name the hub as its certificate does, or its certificate in NODE_EXTRA_CA_CERTS",
    });
  }
  if (reason.startsWith("ERR_HTTP2") || reason === "HPE_INVALID_CONSTANT") {
    return new CliError("BATON-CLI-003", `what listens at ${hub} does not speak gRPC: ${rawMessage}`, {
      fix: "use the hub's gRPC address, which baton up prints first",
    });
  }
  const isLate = cause instanceof Error && cause.name === "TimeoutError";
  if (isLate || code === Code.DeadlineExceeded) {
    return new CliError("BATON-CLI-003", `the hub at ${hub} did not answer in time`, {
      fix: "try again; its log says what it is doing",
    });
  }
  if (code === Code.Canceled) {
    return new CliError("BATON-CLI-003", `the connection to the hub at ${hub} broke`, {
      fix: "check that it still runs, then try again",
    });
  }
  if (code === Code.Unavailable) {
    return new CliError("BATON-CLI-003", `the hub at ${hub} cannot be reached: ${rawMessage}`, {
      fix: "check that it runs, and that the address is right",
    });
  }
  if (code === Code.Unauthenticated) {
    return new CliError("BATON-CLI-007", `the hub at ${hub} does not know the key`, {
      fix: keyFix,
    });
  }
  if (code === Code.Unimplemented) {
    return new CliError("BATON-CLI-008", `what listens at ${hub} does not know this call`, {
      fix: "use a hub of the same version, at its gRPC address",
    });
  }
  return new CliError("BATON-CLI-008", `the hub at ${hub} answered: ${rawMessage || Code[code]}`, {
    fix: "see its log",
  });
}
