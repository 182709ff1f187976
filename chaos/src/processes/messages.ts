/** Somebody sets the clock of the machine. */
interface Shift {
  readonly kind: "shift";
  readonly ms: number;
}

/** What the chaos and the programs it starts say to each other. */
export type ToAgent = Shift;

export type ToHub =
  /** Die when the point has been reached this often from now on. */
  | { readonly kind: "arm"; readonly point: string; readonly at: number }
  | Shift
  | { readonly kind: "fill" }
  | { readonly kind: "make room" }
  /** End in order; then copy the store to a folder, when one is named. */
  | { readonly kind: "stop"; readonly copyTo?: string };

export type FromHub =
  | { readonly kind: "ready" }
  /** Something went wrong inside of the hub that nobody asked about. */
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
