import manifest from "../package.json" with { type: "json" };

/** Of the hub, as agents and operators see it. */
export const { version } = manifest;
