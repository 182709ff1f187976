import { ErrorDetailSchema } from "@baton/contract";
import type { ConnectError } from "@connectrpc/connect";

const fixes = {
  /** The address is none. */
  "BATON-CLIENT-001": "set BATON_HUB or the option hub, such as http://127.0.0.1:7433",
  /** The hub refused the call; `hubCode` says why. */
  "BATON-CLIENT-002": "see the message",
  /** The hub was away for too long. */
  "BATON-CLIENT-003": "start the hub, and call again with the same key: work that it has taken is not lost",
  /** The client was closed. */
  "BATON-CLIENT-004": "close it after the last call",
  /** The run failed or was aborted. */
  "BATON-CLIENT-005": "see the run on the page of the hub, or with baton runs show",
} as const;

export type ClientErrorCode = keyof typeof fixes;

export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;
  readonly fix: string;
  /** The hub's own code, such as `BATON-SUBMIT-001`. */
  readonly hubCode: string | undefined;

  constructor(
    code: ClientErrorCode,
    message: string,
    {
      fix,
      hubCode,
      cause,
    }: { readonly fix?: string; readonly hubCode?: string; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.fix = fix ?? fixes[code];
    this.hubCode = hubCode;
  }
}

/** What the hub answered, with its own code and fix. */
export function refusal(error: ConnectError): ClientError {
  const [detail] = error.findDetails(ErrorDetailSchema);
  return new ClientError("BATON-CLIENT-002", detail?.message ?? error.rawMessage, {
    ...(detail && { fix: detail.fix, hubCode: detail.code }),
    cause: error,
  });
}
