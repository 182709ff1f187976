/** Verifies the audit record of a hub without trusting the hub. Usable without the rest of the kernel. */
export { checkpointBytes, entryBytes } from "./canonical/canonical.ts";
export type { ChainHead } from "./chain.ts";
export type { VerifySignature } from "./checkpoint.ts";
export type { Digest } from "./digest.ts";
export {
  checkpointLine,
  type ExportHeader,
  entryLine,
  headerLine,
  trailerBytes,
  trailerLine,
} from "./export/format.ts";
export { readCheckpoint } from "./export/read-line.ts";
export {
  type ExportOptions,
  type ExportTools,
  type ExportVerdict,
  exportVerifier,
} from "./export/verify-export.ts";
export { type CheckSignature, keyIdOf, keyIdPattern, type PublicKey, trustKeys } from "./key.ts";
export { consistencyProof, consistencyRanges } from "./merkle/consistency.ts";
export { appendLeaf, emptyFrontier, type Frontier, root } from "./merkle/frontier.ts";
export { inclusionProof, inclusionRanges } from "./merkle/inclusion.ts";
export { type NodeHashes, nodesFromEntries, nodesIn } from "./merkle/node-hashes.ts";
export type { TreeNode } from "./merkle/tree-hash.ts";
export {
  type ChainVerdict,
  chainVerifier,
  type VerifyOptions,
  verifyChain,
} from "./verify/chain-verifier.ts";
export { verifyEntryProof } from "./verify/entry-proof.ts";
export type { Fault, FaultKind } from "./verify/fault.ts";
