import type { ConfigurableHub, HubParts } from "../src/compose/create-hub.ts";
import type { Point } from "../src/engine/engine.ts";
import type { Store } from "../src/ports/store.ts";
import { testHub } from "./test-hub.ts";
import { TestStore } from "./test-store.ts";

/** One process of a hub, from its start until it is killed. */
export interface Life {
  readonly hub: ConfigurableHub;
  readonly store: TestStore;
  /** As a power failure: only what is stored stays. */
  kill(): void;
  /** Resolves when it is killed. */
  readonly dead: Promise<void>;
}

/** Hubs that run one after another on the same store. */
export class Lives {
  readonly #store: Store;
  readonly #parts: Partial<HubParts>;

  constructor(store: Store, parts: Partial<HubParts> = {}) {
    this.#store = store;
    this.#parts = parts;
  }

  async begin(parts: Partial<HubParts> = {}): Promise<Life> {
    const store = new TestStore(this.#store);
    const hub = await testHub({ ...this.#parts, ...whilePowered(parts, store), store });
    return { hub, store, kill: () => store.kill(), dead: store.dead };
  }

  /** A hub that is killed at a point, after passing it `after` times. */
  async beginAndDieAt(point: Point, after: number, parts: Partial<HubParts> = {}): Promise<Life> {
    const store = new TestStore(this.#store);
    let passed = 0;
    const reach = (at: Point) => {
      if (at !== point || passed++ < after) return;
      store.kill();
      throw new PowerCut();
    };
    const powered = whilePowered(parts, store);
    const hub = await testHub({ ...this.#parts, ...powered, store, reach, onProblem: () => {} });
    return { hub, store, kill: () => store.kill(), dead: store.dead };
  }
}

/** Its work on repositories ends with it. */
function whilePowered(parts: Partial<HubParts>, { dead }: TestStore): Partial<HubParts> {
  const { workspaces } = parts;
  if (!workspaces) return parts;
  const power = new AbortController();
  void dead.then(() => power.abort());
  return { ...parts, workspaces: endingWith(power.signal, workspaces) };
}

type Call = (about: never, signal: AbortSignal, ...more: never[]) => unknown;

/** Wraps a port whose calls have their signal at the same position, and adds another signal. */
function endingWith<Port extends Readonly<Record<keyof Port, Call>> & object>(
  end: AbortSignal,
  port: Port,
): Port {
  return new Proxy(port, {
    get:
      (_, name) =>
      (about: never, signal: AbortSignal, ...more: never[]) =>
        port[name as keyof Port](about, AbortSignal.any([signal, end]), ...more),
  });
}

class PowerCut extends Error {
  override readonly name = "PowerCut";
}
