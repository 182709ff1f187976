import { isPlaceholder } from "./placeholder.ts";

/** Ordinary words after "password": names of algorithms, versions, numbers with a unit, addresses. */
const ordinary =
  /^(?:sha-?\d|md5|base\d\d|utf-?\d|argon2|pbkdf2|bcrypt|scrypt|oauth2?|http2?s?:|v?\d[\d.]*\w{0,3}$|\d+(?:st|nd|rd|th)$|[\w.-]+:\d+$|\/|\.\.?\/|~\/|--?[a-z])/i;

/** Whether a word in a sentence or on a command line looks like a password and not like an ordinary word. */
export function isPasswordLike(word: string): boolean {
  if (word.length < 6 || isPlaceholder(word) || ordinary.test(word)) return false;
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  const digits = word.match(/\d/g)?.length ?? 0;
  if (letters === 0) return false;
  // Brackets belong to code, trailing marks to the sentence.
  if (/[()[\]{}<>|\\]|^![a-z]+$/.test(word)) return false;
  return digits >= 2 || /[@#%^*+=&~]|!(?!$)/.test(word.slice(0, -1)) || isMixed(word, digits);
}

/** Letters that change case more often than joined words do, or twice with a digit in between. */
function isMixed(word: string, digits: number): boolean {
  const humps = word.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0;
  return word.length >= 10 && (humps >= 3 || (digits > 0 && humps >= 2));
}

/** Whether a value is random, and not a name or words with dashes: many vendors' keys have no other sign. */
export function isRandom(value: string): boolean {
  const bare = value.replace(/^base64:/, "");
  if (bare.length < 16 || !/^[A-Za-z0-9+/_=.-]+$/.test(bare)) return false;
  const digits = bare.match(/\d/g)?.length ?? 0;
  const letters = bare.match(/[A-Za-z]/g)?.length ?? 0;
  if (/[a-z]{9,}|[A-Z]{12,}/.test(bare)) return false;
  return letters >= 2 && ((digits >= 2 && digits * 14 >= bare.length) || isMixed(bare, digits));
}
