/**
 * Whether a client accepts an encoding and does not prefer none, by its `accept-encoding` (RFC 9110 §12.5.3). An invalid
 * weight refuses the encoding.
 */
export function acceptsEncoding(header: string | undefined, encoding: string): boolean {
  const weights = new Map<string, number>();
  for (const part of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    weights.set(name === `x-${encoding}` ? encoding : name, weightOf(parameters));
  }
  const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
  return weight > 0 && weight >= (weights.get("identity") ?? 0);
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((text) => /^q\s*=/.test(text));
  if (given === undefined) return 1;
  const text = given.slice(given.indexOf("=") + 1).trim();
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
