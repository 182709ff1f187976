/**
 * Combines the checksums of two pieces. A CRC-32 is the remainder of the bytes, as a polynomial over GF(2), modulo one of
 * degree 32: a piece in front of n bytes is multiplied by x^(8n). As in gzip the bits are reversed: the highest is x^0.
 */
export function joinCrc(front: number, back: number, backShift: number): number {
  return (multiply(front, backShift) ^ back) >>> 0;
}

/** The factor for the checksum of a piece in front of `length` bytes. */
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
