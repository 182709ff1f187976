/**
 * One gRPC call on a plain socket, whose answer is read and left as it comes. It says as much of HTTP/2 as that takes, has
 * the window of the command line and gives it back in halves, as that does: what the hub has to do is the same, and what a
 * client makes of an answer is not the hub's to pay for.
 */
import { connect, type Socket } from "node:net";

const frameType = { data: 0, headers: 1, settings: 4, ping: 6, windowUpdate: 8 } as const;
const flag = { ack: 1, endStream: 1, endHeaders: 4 } as const;
const headBytes = 9;
const stream = 1;

/** Of the command line, and the default. */
const [windowBytes, defaultWindowBytes] = [1024 * 1024, 65_535];
const initialWindowSize = 4;

/** Calls with an empty message. Received bytes land in the given memory. */
export function callOnSocket(url: URL, memory: Uint8Array): Socket {
  const socket = connect({
    host: url.hostname,
    port: Number(url.port),
    onread: {
      buffer: memory,
      callback: (length: number) => {
        reader.take(memory.subarray(0, length));
        return true;
      },
    },
  });
  const reader = new FrameReader(socket);
  socket.on("error", () => undefined);
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  const setting = Buffer.alloc(6);
  setting.writeUInt16BE(initialWindowSize);
  setting.writeUInt32BE(windowBytes, 2);
  socket.write(frame(frameType.settings, 0, 0, setting));
  socket.write(frame(frameType.windowUpdate, 0, 0, number(windowBytes - defaultWindowBytes)));
  socket.write(frame(frameType.headers, flag.endHeaders, stream, headersOf(url)));
  socket.write(frame(frameType.data, flag.endStream, stream, Buffer.alloc(5)));
  return socket;
}

/** Goes from frame to frame, and answers those that want it. */
class FrameReader {
  readonly #socket: Socket;
  /** The head of a frame, as far as it is there, and what of its body is short enough to be answered. */
  readonly #kept = Buffer.alloc(headBytes + 8);
  #length = 0;
  #bodyLeft = 0;
  #toGiveBack = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#length < headBytes) {
        this.#kept[this.#length++] = bytes[at++] as number;
        if (this.#length < headBytes) continue;
        this.#bodyLeft = this.#kept.readUIntBE(0, 3);
      } else {
        const taken = Math.min(this.#bodyLeft, bytes.length - at);
        if (this.#kept[3] === frameType.ping)
          this.#kept.set(bytes.subarray(at, at + taken), this.#keptBody());
        at += taken;
        this.#bodyLeft -= taken;
      }
      if (this.#bodyLeft === 0) this.#end();
    }
  }

  #keptBody(): number {
    return headBytes + 8 - this.#bodyLeft;
  }

  #end(): void {
    this.#length = 0;
    const [type, flags] = [this.#kept[3], this.#kept[4] ?? 0];
    if (type === frameType.data) this.#giveBack(this.#kept.readUIntBE(0, 3));
    else if (type === frameType.settings && (flags & flag.ack) === 0)
      this.#socket.write(frame(frameType.settings, flag.ack, 0, Buffer.alloc(0)));
    else if (type === frameType.ping && (flags & flag.ack) === 0)
      this.#socket.write(frame(frameType.ping, flag.ack, 0, Buffer.from(this.#kept.subarray(headBytes))));
  }

  #giveBack(bytes: number): void {
    this.#toGiveBack += bytes;
    if (this.#toGiveBack < windowBytes / 2) return;
    const more = number(this.#toGiveBack);
    this.#toGiveBack = 0;
    const updates = [0, stream].map((of) => frame(frameType.windowUpdate, 0, of, more));
    this.#socket.write(Buffer.concat(updates));
  }
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function frame(type: number, flags: number, of: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUIntBE(body.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(of, 5);
  return Buffer.concat([head, body]);
}

/** HPACK by its static table, with nothing put into the dynamic one. */
function headersOf({ pathname, host }: URL): Buffer {
  const text = (value: string) => [value.length, ...Buffer.from(value)];
  const [post, http, path, authority, contentType] = [0x83, 0x86, 0x04, 0x01, [0x0f, 0x10]];
  return Buffer.from([
    ...[post, http],
    ...[path, ...text(pathname)],
    ...[authority, ...text(host)],
    ...[...contentType, ...text("application/grpc")],
    ...[0, ...text("te"), ...text("trailers")],
  ]);
}
