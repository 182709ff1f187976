import { StoreUnavailable } from "@baton/runtime";
import type { Logger } from "pino";

/** Keeps what was found when a large store was looked at whole beside the hub, for those who ask how the hub is. */
export class StoreWatch {
  readonly #log: Logger;
  #warning: string | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  readonly tell = (problem: Error | undefined): void => {
    if (problem === undefined) return this.#log.info("the store was looked at whole, and is sound");
    const code = problem instanceof StoreUnavailable ? problem.code : undefined;
    const isDamaged = code === "BATON-STORE-003";
    const what = isDamaged ? "the store is damaged" : "the store could not be looked at whole";
    this.#log.fatal({ err: problem }, what);
    this.#warning = `${what}${code === undefined ? "" : ` (${code})`}: the log and baton store check say where`;
  };

  /** Without a place: everybody may ask. */
  readonly warnings = (): readonly string[] => (this.#warning === undefined ? [] : [this.#warning]);
}
