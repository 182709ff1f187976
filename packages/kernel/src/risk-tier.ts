import { RiskTier } from "@baton/contract";

/** The highest stated tier; without one, normal. */
export function effectiveTier(...tiers: readonly (RiskTier | undefined)[]): RiskTier {
  let highest = RiskTier.UNSPECIFIED;
  for (const tier of tiers) if (tier !== undefined && tier > highest) highest = tier;
  return highest === RiskTier.UNSPECIFIED ? RiskTier.NORMAL : highest;
}

export function tierName(tier: RiskTier): string {
  return RiskTier[tier] ?? String(tier);
}

/** Manifests name tiers as the enum does, with or without its prefix. */
export function namesTier(name: string, tier: RiskTier): boolean {
  const wanted = tierName(tier);
  return name === wanted || name.toUpperCase().replace(/^RISK_TIER_/, "") === wanted;
}

/** The tier with this name in a manifest; undefined for an unknown one. */
export function tierNamed(name: string): RiskTier | undefined {
  return [RiskTier.LOW, RiskTier.NORMAL, RiskTier.CRITICAL].find((tier) => namesTier(name, tier));
}
