import type { TurnEnvelope } from "@baton/contract";
import { isSameTurn, readTurn, TurnVersionError, turnFromContract } from "@baton/protocols/saop";
import { turnRefused } from "../audit/hub-events.ts";
import type { Engine } from "../engine/engine.ts";
import { HubError } from "../ports/hub-error.ts";
import type { Store, TurnRow } from "../ports/store.ts";
import { taskOf } from "../ports/stored-command.ts";

/** A turn without the event by which it is published. */
type Turn = Omit<TurnRow, "eventId">;

/** A turn that has its position among the reports. */
export interface KeptTurn {
  readonly isNew: boolean;
  /** Resolves when it is durable. Rejects with `HubError` when another turn is stored under its index. */
  readonly stored: Promise<void>;
}

interface TurnLogParts {
  readonly engine: Pick<Engine, "recordEvent">;
  readonly store: Pick<Store, "hasTurn" | "turns">;
}

/** The turns of one attempt: each index is stored once, as it was reported, and other content under it is refused (TUR-02). */
export class TurnLog {
  readonly #parts: TurnLogParts;
  /** Turns on their way to the store. */
  readonly #storing = new Map<number, { readonly envelope: string; readonly stored: Promise<void> }>();
  #hasConflict = false;

  constructor(parts: TurnLogParts) {
    this.#parts = parts;
  }

  /** `position` is called before anything is awaited; what it returns stores the turn, unless it is stored already. */
  async keep(turn: Turn, position: () => () => Promise<void>): Promise<KeptTurn> {
    const { turnIndex, envelope } = turn;
    const storing = this.#storing.get(turnIndex);
    if (storing) {
      return { isNew: false, stored: storing.stored.then(() => this.#compare(storing.envelope, turn)) };
    }
    const store = position();
    // A store that is away cannot say: it keeps the first, and the turn is compared when it is back.
    const kept = await this.#find(turn).catch(() => "unknown");
    if (kept !== undefined && kept !== "unknown") return { isNew: false, stored: this.#compare(kept, turn) };
    const stored = store()
      .then(async () => {
        const first = kept === "unknown" ? await this.#find(turn).catch(() => undefined) : undefined;
        if (first !== undefined) await this.#compare(first, turn);
      })
      .finally(() => this.#storing.delete(turnIndex));
    this.#storing.set(turnIndex, { envelope, stored });
    return { isNew: true, stored };
  }

  async #find({ dispatchId, turnIndex }: Turn): Promise<string | undefined> {
    const { store } = this.#parts;
    if (!(await store.hasTurn(dispatchId, turnIndex))) return undefined;
    const [kept] = await store.turns(dispatchId, turnIndex - 1, 1);
    return kept?.turnIndex === turnIndex ? kept.envelope : undefined;
  }

  /** A refusal goes on record first, once for an attempt: an agent that is called does not read refusals. */
  async #compare(kept: string, turn: Turn): Promise<void> {
    const { tenantId, dispatchId, turnIndex, envelope } = turn;
    if (kept === envelope || isSameTurn(readTurn(JSON.parse(kept)), readTurn(JSON.parse(envelope)))) return;
    const text = `turn ${turnIndex} of the attempt "${dispatchId}" is stored with other content, and stays as it is`;
    const error = new HubError("precondition", "BATON-AGENT-009", text, {
      fix: "give each turn of an attempt an index of its own; a turn that is sent again has to be the same",
    });
    if (!this.#hasConflict) {
      this.#hasConflict = true;
      const event = turnRefused(turn, `${error.code}: ${error.message}`);
      await this.#parts.engine.recordEvent(tenantId, event).catch(() => {
        this.#hasConflict = false;
      });
    }
    throw error;
  }
}

/**
 * A turn as it is stored: verbatim, secrets included (TUR-03), except for its task, which is that of its attempt (SAOP §5).
 * Throws for a version that this hub cannot read (TUR-09).
 */
export function turnRow(turn: TurnEnvelope, about: Omit<Turn, "turnIndex" | "envelope">): Turn {
  try {
    const written = turnFromContract(turn);
    const metadata = { ...written.metadata, task_id: taskOf(about.dispatchId) };
    return { ...about, turnIndex: turn.turnIndex, envelope: JSON.stringify({ ...written, metadata }) };
  } catch (error) {
    if (!(error instanceof TurnVersionError)) throw error;
    const { code, message, fix } = error;
    throw new HubError("invalid", code, message, { fix, cause: error });
  }
}
