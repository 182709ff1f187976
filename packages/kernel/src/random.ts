/**
 * A number from 0 to 1, determined by a seed and a name: the mixing steps of splitmix64's 32-bit variant. Sufficient only
 * for spreading retries.
 */
export function randomFrom(seed: number, name: string): number {
  let state = seed >>> 0;
  for (let at = 0; at < name.length; at++) state = mix(state ^ name.charCodeAt(at));
  return mix(state) / 2 ** 32;
}

/** One step: 32 bits to 32 others. */
export function mix(value: number): number {
  let mixed = (value + 0x9e3779b9) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
