import { createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedHook {
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Of the text, if it is JSON. */
  readonly body: { readonly type?: string; readonly [name: string]: unknown };
}

/** A server on the loopback that receives webhooks, and answers them by `answer`. */
export class HookReceiver {
  readonly received: ReceivedHook[] = [];
  /** The status of the next answers; a listener may do what it wants. */
  answer: number | RequestListener = 204;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const id = String(request.headers["webhook-id"] ?? "");
        this.received.push({
          ...{ id, path: request.url ?? "", headers: request.headers, text },
          body: JSON.parse(text),
        });
        if (typeof this.answer === "number") response.writeHead(this.answer).end();
        else this.answer(request, response);
      });
    });
  }

  static async open(): Promise<HookReceiver> {
    const receiver = new HookReceiver();
    await new Promise<void>((done) => receiver.#server.listen(0, "127.0.0.1", done));
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** As a receiver verifies: written from the Standard Webhooks specification, without the hub's own code. */
export function isSignedBy(key: string, { headers, text }: Pick<ReceivedHook, "headers" | "text">): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": header } = headers;
  const signed = Buffer.from(`${String(id)}.${String(timestamp)}.${text}`);
  return String(header)
    .split(" ")
    .some((one) => {
      const [version, signature = ""] = one.split(",");
      const given = Buffer.from(signature, "base64");
      if (version === "v1" && key.startsWith("whsec_")) {
        const secret = Buffer.from(key.slice("whsec_".length), "base64");
        const wanted = createHmac("sha256", secret).update(signed).digest();
        return wanted.length === given.length && timingSafeEqual(wanted, given);
      }
      if (version !== "v1a" || !key.startsWith("whpk_")) return false;
      const x = Buffer.from(key.slice("whpk_".length), "base64").toString("base64url");
      const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
      return verify(null, signed, publicKey, given);
    });
}
