import { assertValid, ContractError, type Moment, toErrorDetail } from "@baton/contract";
import type { FleetProblem } from "@baton/kernel";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { HubError } from "../ports/hub-error.ts";

/** Returns a message that is valid by the contract. Throws `HubError` for any other. */
export function accept<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  moment?: Moment,
): MessageShape<Desc> {
  try {
    assertValid(schema, message, moment);
    return message;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { code, message: text, fix, violations } = toErrorDetail(error);
    throw new HubError("invalid", code, text, { fix, violations, cause: error });
  }
}

export function fleetRefusal({ code, at, message, fix }: FleetProblem): HubError {
  const violations = at ? [{ field: at, rule: code, message }] : [];
  return new HubError(kinds[code] ?? "precondition", code, message, { fix, violations });
}

const kinds: Partial<Record<FleetProblem["code"], "invalid" | "not-found" | "exhausted">> = {
  "BATON-FLEET-001": "invalid",
  "BATON-FLEET-005": "not-found",
  "BATON-FLEET-006": "exhausted",
};
