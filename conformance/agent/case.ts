/** One thing that an agent has to do. It passes, or throws `Failed` or `Skipped`. */
export interface Case {
  /** Names it for programs. */
  readonly id: string;
  /** What the agent does, after "the agent". */
  readonly title: string;
  run(): Promise<void>;
}
