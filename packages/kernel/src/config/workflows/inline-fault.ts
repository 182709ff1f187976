/** A node or edge that cannot be replaced by those of its workflow, and why. */
export class InlineFault extends Error {
  /** Such as `nodes[2].inputs`. */
  readonly at: string;
  readonly fix: string;
  constructor(at: string, message: string, fix: string) {
    super(message);
    this.at = at;
    this.fix = fix;
  }
}
