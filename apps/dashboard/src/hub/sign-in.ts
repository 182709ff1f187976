import { useSyncExternalStore } from "react";
import { authorization, isOperator, onKeyChange, readKey, writeKey } from "./key.ts";

/** What the hub wants of whoever decides, and whether this tab has it. */
export interface SignInState {
  readonly needs: "unknown" | "key" | "operator";
  /** Why a code did not sign this tab in. */
  readonly problem: string;
  /** What prints an address that signs in; names the hub where that is not at the default address. */
  readonly command: string;
}

const defaultHub = "http://127.0.0.1:7433";

let state: SignInState = { needs: "unknown", problem: "", command: "npx baton open" };
const watchers = new Set<() => void>();

/** Tabs of this page share a session: whoever opens a second one need not fetch another code. */
const tabs = new BroadcastChannel("baton.sign-in");

/** Exchanges the code of the address, if it has one; else asks other tabs for their session. */
export async function signIn(): Promise<void> {
  const code = takeCode();
  tabs.onmessage = ({ data }) => answerTab(data);
  if (code !== "") await exchange(code);
  else if (readKey() === "") tabs.postMessage({ kind: "ask" });
}

/** The stream of events says with its headers what the hub wants. */
export function readNeeds(headers: Headers): void {
  const needs = headers.get("baton-sign-in");
  if ((needs === "key" || needs === "operator") && needs !== state.needs) update({ needs });
  const hub = headers.get("baton-hub");
  const command = hub && hub !== defaultHub ? `npx baton open --hub ${hub}` : "npx baton open";
  if (command !== state.command) update({ command });
}

/** Out of the address bar and the history before anything else happens: it works once, and is for nobody to read later. */
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
    else update({ problem: message ?? "the hub did not take the sign-in code" });
  } catch {
    update({ problem: "the hub did not answer" });
  }
}

function answerTab(message: { readonly kind?: string; readonly session?: string }): void {
  if (message.kind === "ask" && isOperator()) tabs.postMessage({ kind: "session", session: readKey() });
  if (message.kind === "session" && message.session && readKey() === "") writeKey(message.session);
}

/** The hub forgets the session, and so does this tab. */
export function signOut(): void {
  if (isOperator()) void fetch("/v1/sign-in", { method: "DELETE", headers: authorization() }).catch(() => {});
  writeKey("");
}

function update(change: Partial<SignInState>): void {
  state = { ...state, ...change };
  for (const watcher of watchers) watcher();
}

export interface SignedIn extends SignInState {
  readonly isReadOnly: boolean;
  /** Why nothing can be decided in this tab, and what to do about it; empty when it can. */
  readonly missing: string;
}

export function useSignIn(): SignedIn {
  const subscribe = (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  const now = useSyncExternalStore(subscribe, () => state);
  const key = useSyncExternalStore(onKeyChange, readKey);
  const isReadOnly = now.needs === "operator" && key === "";
  const missing = isReadOnly ? `Sign in first: open the address that “${now.command}” prints.` : "";
  return { ...now, isReadOnly, missing };
}
