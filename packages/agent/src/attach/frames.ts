const prefixBytes = 5;

/** Messages in gRPC framing: each after a byte of flags and four bytes of length. */
export function joinFrames(messages: readonly Uint8Array[]): Uint8Array {
  const length = messages.reduce((sum, message) => sum + prefixBytes + message.length, 0);
  const joined = Buffer.allocUnsafe(length);
  let at = 0;
  for (const message of messages) {
    joined[at] = 0; // Not compressed.
    joined.writeUInt32BE(message.length, at + 1);
    joined.set(message, at + prefixBytes);
    at += prefixBytes + message.length;
  }
  return joined;
}
