/** Sets the clock. */
interface Shift {
  readonly kind: "shift";
  readonly ms: number;
}

/** Messages between this process and the programs it starts. */
export type ToAgent = Shift;

export type ToHub =
  /** Die at this pass of the point, counted from now. */
  | { readonly kind: "arm"; readonly point: string; readonly at: number }
  | Shift
  | { readonly kind: "fill" }
  | { readonly kind: "make room" }
  /** Stop in order; then copy the store to the folder, if any. */
  | { readonly kind: "stop"; readonly copyTo?: string };

export type FromHub =
  | { readonly kind: "ready" }
  /** A problem that the hub reports. */
  | { readonly kind: "problem"; readonly message: string; readonly ofStore: boolean }
  | { readonly kind: "filled" }
  | { readonly kind: "room" };

const toAgentKinds = ["shift"];
const toHubKinds = ["arm", "shift", "fill", "make room", "stop"];
const fromHubKinds = ["ready", "problem", "filled", "room"];

export function isToAgent(message: unknown): message is ToAgent {
  return hasKind(message, toAgentKinds);
}

export function isToHub(message: unknown): message is ToHub {
  return hasKind(message, toHubKinds);
}

export function isFromHub(message: unknown): message is FromHub {
  return hasKind(message, fromHubKinds);
}

function hasKind(message: unknown, kinds: readonly string[]): boolean {
  return (
    typeof message === "object" &&
    message !== null &&
    "kind" in message &&
    kinds.includes(String(message.kind))
  );
}
