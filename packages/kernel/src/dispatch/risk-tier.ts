import { RiskTier } from "@baton/contract";

/** A task whose risk nobody stated is treated as normal. */
export function effectiveTier(...tiers: readonly (RiskTier | undefined)[]): RiskTier {
  const highest = Math.max(...tiers.map((tier) => tier ?? RiskTier.UNSPECIFIED));
  return highest === RiskTier.UNSPECIFIED ? RiskTier.NORMAL : highest;
}

export function tierName(tier: RiskTier): string {
  return RiskTier[tier] ?? String(tier);
}

/** Manifests name tiers as the enum does, with or without its prefix. */
export function namesTier(name: string, tier: RiskTier): boolean {
  return name.toUpperCase().replace(/^RISK_TIER_/, "") === tierName(tier);
}
