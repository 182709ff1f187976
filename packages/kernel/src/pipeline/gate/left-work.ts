import { type Artifact, ArtifactAction } from "@baton/contract";
import type { GateCheckFinding, GateQuestion } from "./gate.ts";

/** The state of a file that the agent reports. */
export type VerifiedArtifact =
  | { readonly path: string; readonly state: "there"; readonly digest: string }
  | { readonly path: string; readonly state: "missing" }
  /** It exists, but git ignores it, so it is not in the kept commit. */
  | { readonly path: string; readonly state: "unkept" }
  /** The path leads out of the agent's workspace. */
  | { readonly path: string; readonly state: "outside"; readonly reason: string }
  /** It may exist, but was not read. */
  | { readonly path: string; readonly state: "unread"; readonly reason: string };

/**
 * Compares the agent's artifacts with the workspace. A difference, or work that could not be kept, fails the scope check.
 */
export function checkLeftWork({
  result,
  verification,
  ownWorkspace,
}: GateQuestion): GateCheckFinding | undefined {
  if (!verification) return undefined;
  if (ownWorkspace && !verification.commit) {
    const why = verification.unseen === undefined ? "" : `: ${verification.unseen}`;
    return finding(`what the agent left could not be kept${why}`, false);
  }
  const { artifacts, moved } = verification;
  if (moved !== undefined) return finding(`what was checked is not what was kept: ${moved}`, false);
  if (!artifacts) return undefined;
  const seen = new Map(artifacts.map((artifact) => [artifact.path, artifact]));
  const problems = result.artifacts.flatMap((claim) => {
    const found = seen.get(claim.path);
    return found ? (compare(claim, found) ?? []) : [];
  });
  if (problems.length === 0) return undefined;
  const shortened = problems.slice(0, maxListed).map(({ text }) => text);
  const more = problems.length > maxListed ? [`and ${problems.length - maxListed} more`] : [];
  const disproved = problems.some(({ isDisproved }) => isDisproved);
  return finding([...shortened, ...more].join("\n"), disproved);
}

const maxListed = 20;

interface Difference {
  readonly text: string;
  /** The hub has evidence against the claim, and not only no evidence for it. */
  readonly isDisproved: boolean;
}

function compare({ path, action, digest }: Artifact, found: VerifiedArtifact): Difference | undefined {
  const name = JSON.stringify(path);
  if (found.state === "outside")
    return {
      text: `the agent names ${name}, which is no file of its own: ${found.reason}`,
      isDisproved: true,
    };
  if (action === ArtifactAction.DELETED) {
    const text = `the agent says that it deleted ${name}, and it is there`;
    return found.state === "there" ? { text, isDisproved: true } : undefined;
  }
  if (found.state === "missing")
    return { text: `the agent says that it made ${name}, and it is not there`, isDisproved: true };
  if (found.state === "unkept") {
    const text = `the agent says that it made ${name}, and it is not in what was kept: git ignores it`;
    return { text, isDisproved: false };
  }
  if (!digest.startsWith(comparable)) return undefined;
  if (found.state === "unread")
    return { text: `the digest of ${name} could not be checked: ${found.reason}`, isDisproved: false };
  if (found.digest === digest.toLowerCase()) return undefined;
  return {
    text: `the agent says that ${name} is ${digest}, and the hub saw ${found.digest}`,
    isDisproved: true,
  };
}

/** The hub ignores other digests. */
const comparable = "sha256:";

function finding(evidence: string, disproved: boolean): GateCheckFinding {
  return { name: "scope", status: "FAILED", evidence, disproved };
}
