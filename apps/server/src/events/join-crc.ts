/**
 * The checksum of two pieces from that of each. A CRC-32 is what is left of the bytes, taken as a polynomial over GF(2), by
 * one of degree 32: what comes in front of n bytes counts times x^(8n). As in gzip the bits stand in reverse: the highest is x^0.
 */
export function joinCrc(front: number, back: number, backShift: number): number {
  return (multiply(front, backShift) ^ back) >>> 0;
}

/** What the checksum of that which comes in front of so many bytes is multiplied with. */
export function shiftOf(length: number): number {
  let shift = one;
  let square = xToTheEighth;
  for (let rest = length; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) shift = multiply(shift, square);
    square = multiply(square, square);
  }
  return shift;
}

const polynomial = 0xedb88320;
const one = 0x80000000;
const xToTheEighth = 0x00800000;

function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted;
    shifted = (shifted & 1) === 1 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
  }
  return product >>> 0;
}
