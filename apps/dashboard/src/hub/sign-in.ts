import { Store, useStore } from "../store.ts";
import { authorization, isOperator, keyStore, readKey, writeKey } from "./key.ts";

/** The credential that decisions need. */
export interface SignInState {
  readonly needs: "unknown" | "key" | "operator";
  /** Why the sign-in code was refused; empty otherwise. */
  readonly problem: string;
  /** The command that prints a sign-in address. */
  readonly command: string;
}

const defaultHub = "http://127.0.0.1:7433";

const state = new Store<SignInState>({ needs: "unknown", problem: "", command: "npx baton open" });

/** Tabs share a session, so that a second one needs no code of its own. */
const tabs = new BroadcastChannel("baton.sign-in");

/** Exchanges the code in the address, or asks other tabs for their session. */
export async function signIn(): Promise<void> {
  const code = takeCode();
  tabs.onmessage = ({ data }) => answerTab(data);
  if (code !== "") await exchange(code);
  else if (readKey() === "") tabs.postMessage({ kind: "ask" });
}

/** The headers of the event stream name the credential. */
export function readNeeds(headers: Headers): void {
  const needs = headers.get("baton-sign-in");
  if ((needs === "key" || needs === "operator") && needs !== state.get().needs) update({ needs });
  const hub = headers.get("baton-hub");
  const command = hub && hub !== defaultHub ? `npx baton open --hub ${hub}` : "npx baton open";
  if (command !== state.get().command) update({ command });
}

/** Removes the code from the address bar and the history before anything else happens. It works once. */
function takeCode(): string {
  const code = /^#code=([\w-]+)$/.exec(window.location.hash)?.[1] ?? "";
  if (code !== "") window.history.replaceState(null, "", window.location.pathname + window.location.search);
  return code;
}

async function exchange(code: string): Promise<void> {
  try {
    const answer = await fetch("/v1/sign-in", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    const { session, message } = (await answer.json()) as { session?: string; message?: string };
    if (session !== undefined) writeKey(session);
    else update({ problem: message ?? "the hub refused the sign-in code" });
  } catch {
    update({ problem: "the hub did not respond" });
  }
}

function answerTab(message: { readonly kind?: string; readonly session?: string }): void {
  if (message.kind === "ask" && isOperator()) tabs.postMessage({ kind: "session", session: readKey() });
  if (message.kind === "session" && message.session && readKey() === "") writeKey(message.session);
}

/** Ends the session in the hub and in this tab. */
export function signOut(): void {
  if (isOperator()) void fetch("/v1/sign-in", { method: "DELETE", headers: authorization() }).catch(() => {});
  writeKey("");
}

function update(change: Partial<SignInState>): void {
  state.set({ ...state.get(), ...change });
}

export interface SignedIn extends SignInState {
  readonly isReadOnly: boolean;
  /** Why this tab cannot decide, and the fix; empty when it can. */
  readonly missing: string;
}

export function useSignIn(): SignedIn {
  const current = useStore(state);
  const key = useStore(keyStore);
  const isReadOnly = current.needs === "operator" && key === "";
  const missing = isReadOnly ? `Sign in first: open the address that “${current.command}” prints.` : "";
  return { ...current, isReadOnly, missing };
}
