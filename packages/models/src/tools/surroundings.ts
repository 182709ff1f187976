import type { NoSandbox, Sandbox } from "@baton/runtime/guarded";

/** What tools are given besides their definition. */
export interface ToolSurroundings {
  readonly sandbox: () => Promise<Sandbox | NoSandbox>;
  /** The folder of the pack, which its programs may read. */
  readonly folder: string;
  /** Variables of the hub that tools name. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}
