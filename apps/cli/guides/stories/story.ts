import type { Follower } from "../follow-page.ts";

/** What a reader does with a page, from its first block to its last. */
export type Story = (page: Follower) => Promise<void>;

export type Stories = Readonly<Record<string, Story>>;
