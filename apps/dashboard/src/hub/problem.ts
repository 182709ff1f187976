import { ErrorDetailSchema } from "@baton/contract/messages";
import { Code, ConnectError } from "@connectrpc/connect";

/** What went wrong, for a person: the hub says what it is and what to do about it. */
export interface Problem {
  readonly kind: "locked" | "denied" | "missing" | "away" | "refused";
  /** The hub's stable key, such as BATON-PIPELINE-003; empty when the hub did not answer. */
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  /** Fields of the request at fault. */
  readonly fields: readonly { readonly field: string; readonly message: string }[];
}

export function problemOf(error: unknown): Problem {
  const told = ConnectError.from(error);
  const [detail] = told.findDetails(ErrorDetailSchema);
  return {
    kind: kindOf(told.code),
    code: detail?.code ?? "",
    message: detail?.message || told.rawMessage,
    fix: detail?.fix ?? "",
    fields: detail?.violations ?? [],
  };
}

function kindOf(code: Code): Problem["kind"] {
  switch (code) {
    case Code.Unauthenticated:
      return "locked";
    case Code.PermissionDenied:
      return "denied";
    case Code.NotFound:
      return "missing";
    case Code.Unavailable:
    case Code.Unknown: // What a browser says when nobody listens.
    case Code.DeadlineExceeded:
    case Code.Canceled:
      return "away";
    default:
      return "refused";
  }
}
