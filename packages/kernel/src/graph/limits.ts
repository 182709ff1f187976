/**
 * Everything that bounds a workflow graph (SAC-05 "with a cost limit"). Graphs are written by people and by agents, and
 * conditions read what agents answered: neither may cost the hub more than this.
 */
export const graphLimits = {
  /** Characters of one condition; the contract has the same bound (`StageConfig.condition`). */
  conditionChars: 4096,
  /** Brackets within brackets, found before parsing: the parser takes seconds for hundreds that are never closed. */
  conditionNesting: 32,
  /** Operators within operators. */
  conditionDepth: 64,
  /** Nodes of the syntax tree, macros expanded. */
  conditionNodes: 1024,
  /** Characters of a pattern of `matches`, which has to be a literal. RE2 runs it in linear time. */
  patternChars: 128,
  /**
   * Steps of one evaluation. A step is a value that is read, a list element that is visited (times the parts of
   * the macro that visits it), or 64 characters of text; see meter.ts. All of them take some tens of milliseconds.
   */
  conditionSteps: 200_000,

  /** Objects and arrays within one another in a mapping. */
  mappingDepth: 16,
  /** References of one mapping. */
  mappingReferences: 256,
  /** Characters of all strings and keys of a mapping. */
  mappingChars: 65_536,
  /** Characters of the inputs that a mapping makes, as JSON; what the contract's codecs take (`defaultLimits`). */
  inputsChars: 4 * 1024 * 1024,
  /** Objects and arrays within one another in those inputs: what fits the 64 levels of a binary message. */
  inputsDepth: 20,

  /** Nodes of a graph; a pipeline takes as many stages. */
  nodes: 1000,
  edges: 2000,
  /** Characters of a node's id. */
  nodeIdChars: 128,
  /** How often an edge may go back, and how many such edges a node has; the contract has the same bounds. */
  backEdgeTimes: 100,
  backEdges: 64,
} as const;
