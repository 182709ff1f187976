/** Identifies an instance. */
export interface Address {
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
}

/** No part of an address contains a line break. */
export function keyOf({ tenantId, packId, instanceId }: Address): string {
  return `${tenantId}\n${packId}\n${instanceId}`;
}

export function isSame(one: Address, other: Address): boolean {
  return (
    one.instanceId === other.instanceId && one.packId === other.packId && one.tenantId === other.tenantId
  );
}

/** The name of an instance in commands. Instances of two packs may share one. */
export function nameOf({ tenantId, instanceId }: Omit<Address, "packId">): string {
  return `${tenantId}\n${instanceId}`;
}
