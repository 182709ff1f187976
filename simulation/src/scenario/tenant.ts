/** One tenant has all pipelines and agents: what tenants may see of each other the hub's own tests say. */
export const tenantId = "acme";
