import type { IncomingMessage, ServerResponse } from "node:http";
import { Code, type ConnectError } from "@connectrpc/connect";
import { bearerOf, type Credentials, isKnown, noteRefusal } from "../border/authenticate.ts";
import { refuse } from "../errors/refuse.ts";
import type { Operator } from "../operator/operator.ts";
import { answerError, answerJson } from "../transport/answer-error.ts";

const maxBodyLength = 1_000;

/**
 * Gives a page a credential on a hub without keys. `POST /v1/sign-in/codes` with the operator token returns a code;
 * `POST /v1/sign-in` exchanges it, once, for a session; `GET /v1/sign-in` describes the caller; `DELETE` ends the session.
 *
 * The session is sent in the header `authorization` and never as a cookie: browsers send the cookies of a host to all of its
 * ports, where a program of another user could collect them.
 */
export function answerSignIn(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  credentials: Credentials,
): boolean {
  const { keys, operator } = credentials;

  const credential = bearerOf(request.headers.authorization);
  switch (`${request.method} ${path}`) {
    case "GET /v1/sign-in":
      answerJson(response, 200, {
        needs: keys.inUse ? "key" : "operator",
        signed_in: isKnown(credentials, credential),
      });
      return true;
    case "DELETE /v1/sign-in":
      operator.end(credential ?? "");
      answerJson(response, 200, {});
      return true;
    case "POST /v1/sign-in/codes": {
      if (!operator.hasToken(credential ?? "")) {
        if (!operator.knows(credential ?? "")) noteRefusal(credentials, credential);
        return answer(response, notOperator());
      }
      const { secret, expiresAtMs } = operator.issueCode();
      answerJson(response, 200, { code: secret, expires_at: new Date(expiresAtMs).toISOString() });
      return true;
    }
    case "POST /v1/sign-in":
      void exchange(request, response, operator);
      return true;
    default:
      return false;
  }
}

async function exchange(request: IncomingMessage, response: ServerResponse, operator: Operator) {
  const code = await readCode(request);
  const session = code === undefined ? undefined : operator.exchange(code);
  if (session === undefined) return answer(response, unknownCode());
  const { secret, expiresAtMs } = session;
  answerJson(response, 200, { session: secret, expires_at: new Date(expiresAtMs).toISOString() });
}

async function readCode(request: IncomingMessage): Promise<string | undefined> {
  let text = "";
  try {
    for await (const piece of request.setEncoding("utf8")) {
      text += piece;
      if (text.length > maxBodyLength) return undefined;
    }
    const { code }: { readonly code?: unknown } = { ...JSON.parse(text) };
    return typeof code === "string" ? code : undefined;
  } catch {
    return undefined;
  }
}

function answer(response: ServerResponse, error: ConnectError): true {
  answerError(response, error);
  return true;
}

function notOperator(): ConnectError {
  return refuse({
    code: Code.Unauthenticated,
    id: "BATON-SERVER-004",
    message: "a valid key is needed",
    fix: "send the header `authorization: Bearer <token>` with the operator token of this hub",
  });
}

function unknownCode(): ConnectError {
  return refuse({
    code: Code.Unauthenticated,
    id: "BATON-SERVER-018",
    message: "the sign-in code is unknown, expired or already used",
    fix: "run `npx baton open` on the hub's machine and open the address that it prints",
  });
}
