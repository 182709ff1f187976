import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** A key and a self-signed certificate for a test server. */
export function certificateFor(names: readonly string[]): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const body = bodyOf(names, publicKey);
  const signature = sign("sha256", body, privateKey);
  const der = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.from([0]), signature));
  const lines = der.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** The part that is signed (RFC 5280 §4.1), valid from yesterday to tomorrow. */
function bodyOf(names: readonly string[], publicKey: KeyObject): Buffer {
  const day = 86_400_000;
  const issuer = sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from("test")))));
  const alternatives = sequence(...names.map((name) => tagged(0x82, Buffer.from(name))));
  const extension = sequence(subjectAltName, tagged(0x04, alternatives));
  return sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    issuer,
    sequence(timeOf(Date.now() - day), timeOf(Date.now() + day)),
    issuer,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(extension)),
  );
}

const ecdsaWithSha256 = sequence(tagged(0x06, Buffer.from("2a8648ce3d040302", "hex")));
const commonName = tagged(0x06, Buffer.from("550403", "hex"));
const subjectAltName = tagged(0x06, Buffer.from("551d11", "hex"));

function timeOf(ms: number): Buffer {
  return tagged(0x18, Buffer.from(new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, "")));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

/** A value in DER: its tag, its length, its bytes. */
function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
