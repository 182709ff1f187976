/**
 * The limits of a workflow graph (SAC-05 "with a cost limit"). People and agents write graphs, and conditions read the
 * agents' answers: neither may cost the hub more than this.
 */
export const graphLimits = {
  /** Characters of one condition; the contract has the same bound (`StageConfig.condition`). */
  conditionChars: 4096,
  /** Nested brackets, checked before parsing: the parser takes seconds for hundreds of unclosed ones. */
  conditionNesting: 32,
  /** Nested operators. */
  conditionDepth: 64,
  /** Nodes of the syntax tree, macros expanded. */
  conditionNodes: 1024,
  /** Characters of a pattern of `matches`, which must be a literal. RE2 runs it in linear time. */
  patternChars: 128,
  /**
   * Steps of one evaluation. A step is a value read, a list element visited (times the parts of the macro), or 64
   * characters of text; see meter.ts. The limit is some tens of milliseconds.
   */
  conditionSteps: 200_000,

  /** Nested objects and arrays of a mapping. */
  mappingDepth: 16,
  /** References of one mapping. */
  mappingReferences: 256,
  /** Characters of all strings and keys of a mapping. */
  mappingChars: 65_536,
  /** Characters of the resulting inputs, as JSON; the limit of the contract's codecs (`defaultLimits`). */
  inputsChars: 4 * 1024 * 1024,
  /** Nested objects and arrays of those inputs: what fits the 64 levels of a binary message. */
  inputsDepth: 20,

  /** Nodes of a graph; a pipeline takes as many stages. */
  nodes: 1000,
  edges: 2000,
  /** Nodes on the longest path. */
  depth: 100,
  /** Workflows within workflows. */
  nested: 8,
  /** Characters of a node's id. */
  nodeIdChars: 128,
  /** Uses of a back edge, and back edges of a node; the contract has the same bounds. */
  backEdgeTimes: 100,
  backEdges: 64,
} as const;
