/** Keeps the beginning and the end of what is printed: what is wrong is told in one of them. */
export class BoundedOutput {
  readonly #half: number;
  #head = Buffer.alloc(0);
  #tail: Buffer[] = [];
  #tailSize = 0;
  #dropped = 0;

  constructor(bytes: number) {
    this.#half = bytes >> 1;
  }

  add(chunk: Buffer): void {
    const room = Math.max(0, this.#half - this.#head.length);
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    if (chunk.length <= room) return;
    const rest = chunk.subarray(room);
    this.#tail.push(rest);
    this.#tailSize += rest.length;
    // Some at a time, so that a program that prints byte by byte does not make us copy for each.
    if (this.#tailSize > 2 * this.#half || this.#tail.length > 1_024) this.#trim();
  }

  get isCut(): boolean {
    this.#trim();
    return this.#dropped > 0;
  }

  text(): string {
    this.#trim();
    const [tail] = this.#tail;
    if (this.#dropped === 0) return Buffer.concat([this.#head, tail ?? Buffer.alloc(0)]).toString("utf8");
    return `${this.#head.toString("utf8")}\n… ${this.#dropped} bytes left out …\n${tail?.toString("utf8")}`;
  }

  #trim(): void {
    const all = Buffer.concat(this.#tail);
    const over = Math.max(0, all.length - this.#half);
    this.#dropped += over;
    this.#tail = [Buffer.from(all.subarray(over))];
    this.#tailSize = all.length - over;
  }
}
