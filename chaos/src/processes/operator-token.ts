/** What the person of the chaos decides with; the hub and whoever answers it are different processes. */
export const operatorToken = `baton-operator_${"A".repeat(43)}`;
