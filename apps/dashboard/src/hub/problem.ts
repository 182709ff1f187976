import { ErrorDetailSchema } from "@baton/contract/messages";
import { Code, ConnectError } from "@connectrpc/connect";

/** An error for people, with the hub's fix. */
export interface Problem {
  readonly kind: "locked" | "denied" | "missing" | "away" | "refused";
  /** Such as BATON-PIPELINE-003; empty when the hub did not respond. */
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  /** Invalid fields of the request. */
  readonly fields: readonly { readonly field: string; readonly message: string }[];
}

export function problemOf(error: unknown): Problem {
  const failure = ConnectError.from(error);
  const [detail] = failure.findDetails(ErrorDetailSchema);
  return {
    kind: kindOf(failure.code),
    code: detail?.code ?? "",
    message: detail?.message || failure.rawMessage,
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
    case Code.Unknown: // Reported by browsers when nothing listens.
    case Code.DeadlineExceeded:
    case Code.Canceled:
      return "away";
    default:
      return "refused";
  }
}
