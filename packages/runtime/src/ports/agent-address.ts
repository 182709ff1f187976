/** Which instance of which pack, of which tenant. */
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

/** What a command calls an instance by. Instances of two packs may have the same name. */
export function nameOf({ tenantId, instanceId }: Omit<Address, "packId">): string {
  return `${tenantId}\n${instanceId}`;
}
