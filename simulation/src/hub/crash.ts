/** The hub stops here, as if its process were killed: whatever it had in memory is gone. */
export class Crash extends Error {}
