import type { SafetyContext, SecurityFlags } from "@baton/contract";

/** The security flags of a task (A §2.5), by their names in a policy. */
const isRaised: Readonly<Record<string, (flags: SecurityFlags) => boolean>> = {
  touches_auth: ({ touchesAuth }) => touchesAuth,
  touches_schema: ({ touchesSchema }) => touchesSchema,
  touches_billing: ({ touchesBilling }) => touchesBilling,
  touches_secrets: ({ touchesSecrets }) => touchesSecrets,
};

export const securityFlagNames: readonly string[] = Object.keys(isRaised);

export function raisedFlags(safety: SafetyContext | undefined): readonly string[] {
  const flags = safety?.securityFlags;
  if (!flags) return [];
  return securityFlagNames.filter((name) => isRaised[name]?.(flags));
}
