import { limits } from "../limits.ts";

/**
 * The address of the page, or of one path of it, with a code that signs it in, once. The code stands behind the `#`:
 * browsers do not send that part, so it is in no log and no referrer. The page exchanges it and removes it from the address
 * at once.
 */
export async function pageAddress(http: string, token: string, path = "/"): Promise<string> {
  const answer = await fetch(`${http}/v1/sign-in/codes`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    redirect: "error",
    signal: AbortSignal.timeout(limits.callTimeoutMs),
  });
  const { code } = (await answer.json()) as { readonly code?: unknown };
  if (!answer.ok || typeof code !== "string") throw new Error(`the hub answered ${answer.status}`);
  return `${http}${path}#code=${code}`;
}
