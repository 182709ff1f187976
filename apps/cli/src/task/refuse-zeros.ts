import type { Violation } from "@baton/contract/forms";
import { isNode, isScalar, type Node, visit } from "yaml";

/** Fields in which zero means "not set", and what to write instead. */
const zeros: Readonly<Record<string, string>> = {
  patch_size_limit: "write 1 or more, or leave it out for no limit",
  max_autonomous_steps: "write 1 or more, or leave it out for no limit",
  max_attempts: "write 1 for a single attempt",
  backoff_multiplier: "write 1 for waits of the same length",
  jitter: "write no_jitter: true for waits without a random part",
  max_total_retries: "write no_retries: true for none",
  max_rejections: "write no_rejections: true for none",
};

/** Refuses an explicit zero, which would silently become the default. */
export function refuseZeros(task: Node, position: (offset: number) => string): readonly Violation[] {
  const found: Violation[] = [];
  visit(task, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isScalar(value) || value.value !== 0 || !isNode(key)) return;
      const name = String(key.value).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const instead = zeros[name];
      if (instead !== undefined)
        found.push({
          field: position(key.range?.[0] ?? 0),
          rule: "zero",
          message: `${name} is 0, which is taken as left out; ${instead}`,
        });
    },
  });
  return found;
}
