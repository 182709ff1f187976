/** Checking the record of a hub, for those who do not believe the hub: a part of the kernel that others may use alone. */
export { checkpointBytes, entryBytes } from "./canonical.ts";
export type { ChainHead } from "./chain.ts";
export { type ChainVerdict, chainVerifier, type VerifyOptions, verifyChain } from "./chain-verifier.ts";
export type { VerifySignature } from "./checkpoint.ts";
export type { Digest } from "./digest.ts";
export { type EntryFrame, frameBytes } from "./entry-frame.ts";
export { verifyEntryProof } from "./entry-proof.ts";
export {
  checkpointLine,
  type ExportHeader,
  type ExportScope,
  type ExportSeal,
  entryLine,
  headerLine,
  sealBytes,
  sealLine,
} from "./export/format.ts";
export { readCheckpoint, readHeader } from "./export/read-line.ts";
export {
  type ExportOptions,
  type ExportTools,
  type ExportVerdict,
  type ExportVerifier,
  exportVerifier,
} from "./export/verify-export.ts";
export type { Fault, FaultKind } from "./fault.ts";
export { believeKeys, type CheckSignature, keyIdOf, keyIdPattern, type PublicKey } from "./key.ts";
export { consistencyProof, consistencyRanges } from "./merkle/consistency.ts";
export { appendLeaf, emptyFrontier, type Frontier, root } from "./merkle/frontier.ts";
export { inclusionProof, inclusionRanges } from "./merkle/inclusion.ts";
export { type NodeHashes, nodesFromEntries, nodesIn } from "./merkle/node-hashes.ts";
export type { TreeNode } from "./merkle/shape.ts";
