import type { TurnEnvelope } from "@baton/contract";
import { TurnVersionError, turnFromContract } from "@baton/protocols/saop";
import { HubError } from "../hub/hub-error.ts";
import type { TurnRow } from "../ports/store.ts";

/** Where a turn belongs, and when it came: as the hub knows it, whatever the turn says of its pack. */
export type TurnPlace = Pick<TurnRow, "tenantId" | "pipelineId" | "dispatchId" | "packId" | "atMs">;

/** A turn as it is kept: verbatim, whatever is in it (TUR-03). Throws for a version that cannot be read here (TUR-09). */
export function turnRow(turn: TurnEnvelope, place: TurnPlace, eventId: string): TurnRow {
  const { turnIndex } = turn;
  const envelope = JSON.stringify(writeTurn(turn));
  return { ...place, turnIndex, envelope, eventId };
}

function writeTurn(turn: TurnEnvelope) {
  try {
    return turnFromContract(turn);
  } catch (error) {
    if (!(error instanceof TurnVersionError)) throw error;
    const { code, message, fix } = error;
    throw new HubError("invalid", code, message, { fix, cause: error });
  }
}
