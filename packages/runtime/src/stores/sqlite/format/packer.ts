/**
 * Encodes values into one buffer that moves to another thread without a copy. Later changes of the encoded bytes do not affect
 * it.
 */
import { storeLimits } from "../../limits.ts";
import { misuse } from "../../validate.ts";

/** Bytes of a number, and of the length in front of a text or bytes. */
const [numberBytes, lengthBytes] = [8, 4];
/** A character of a JavaScript string has at most three bytes in UTF-8. */
const bytesPerCharacter = 3;

export class Packer {
  #memory: ArrayBuffer;
  #bytes: Buffer;
  #view: DataView;
  #end = 0;
  /** In order of their first occurrence. */
  readonly #names = new Map<string, number>();

  /** The memory grows when it is too small. */
  constructor(memory: ArrayBuffer) {
    this.#memory = memory;
    this.#bytes = Buffer.from(memory);
    this.#view = new DataView(memory);
  }

  /** The buffer; longer than its content. */
  get memory(): ArrayBuffer {
    return this.#memory;
  }

  /** Bytes in use. */
  get length(): number {
    return this.#end;
  }

  number(value: number): void {
    this.#reserve(numberBytes);
    this.#view.setFloat64(this.#end, value);
    this.#end += numberBytes;
  }

  integer(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw misuse(`${value} has more than 64 bits`);
    this.#reserve(numberBytes);
    this.#view.setBigInt64(this.#end, value);
    this.#end += numberBytes;
  }

  text(value: string): void {
    this.#reserve(lengthBytes + value.length * bytesPerCharacter);
    const length = this.#bytes.write(value, this.#end + lengthBytes);
    this.#view.setUint32(this.#end, length);
    this.#end += lengthBytes + length;
  }

  /** A text that repeats within a batch; packed once. */
  name(value: string): void {
    const known = this.#names.get(value);
    this.number(known ?? this.#names.size);
    if (known !== undefined) return;
    this.#names.set(value, this.#names.size);
    this.text(value);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(lengthBytes + value.length);
    this.#view.setUint32(this.#end, value.length);
    this.#bytes.set(value, this.#end + lengthBytes);
    this.#end += lengthBytes + value.length;
  }

  list<Item>(items: readonly Item[], pack: (packer: Packer, item: Item) => void): void {
    this.number(items.length);
    for (const item of items) pack(this, item);
  }

  optional<Value>(value: Value | undefined, pack: (packer: Packer, value: Value) => void): void {
    this.list(value === undefined ? [] : [value], pack);
  }

  #reserve(more: number): void {
    const needed = this.#end + more;
    if (needed <= this.#memory.byteLength) return;
    if (needed > storeLimits.bytesPerBatch) {
      throw misuse(`a batch has more than ${storeLimits.bytesPerBatch} bytes`);
    }
    this.#memory = this.#memory.transfer(Math.min(needed * 2, storeLimits.bytesPerBatch));
    this.#bytes = Buffer.from(this.#memory);
    this.#view = new DataView(this.#memory);
  }
}

/** Decodes the values in the order of encoding. */
export class Unpacker {
  readonly #bytes: Buffer;
  readonly #view: DataView<ArrayBuffer>;
  #at = 0;
  readonly #names: string[] = [];

  constructor(memory: ArrayBuffer) {
    this.#bytes = Buffer.from(memory);
    this.#view = new DataView(memory);
  }

  number(): number {
    const value = this.#view.getFloat64(this.#at);
    this.#at += numberBytes;
    return value;
  }

  integer(): bigint {
    const value = this.#view.getBigInt64(this.#at);
    this.#at += numberBytes;
    return value;
  }

  text(): string {
    const [start, end] = this.#next();
    return this.#bytes.toString("utf8", start, end);
  }

  name(): string {
    const place = this.number();
    const known = this.#names[place];
    if (known !== undefined) return known;
    const value = this.text();
    this.#names.push(value);
    return value;
  }

  /** A view of the memory, not a copy. */
  bytes(): Uint8Array {
    const [start, end] = this.#next();
    return new Uint8Array(this.#view.buffer, start, end - start);
  }

  list<Item>(unpack: (unpacker: Unpacker) => Item): Item[] {
    const items: Item[] = [];
    for (let left = this.number(); left > 0; left--) items.push(unpack(this));
    return items;
  }

  optional<Value>(unpack: (unpacker: Unpacker) => Value): Value | undefined {
    return this.list(unpack)[0];
  }

  #next(): readonly [start: number, end: number] {
    const start = this.#at + lengthBytes;
    this.#at = start + this.#view.getUint32(this.#at);
    return [start, this.#at];
  }
}
