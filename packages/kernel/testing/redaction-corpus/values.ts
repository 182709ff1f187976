/** Made-up secrets of all common forms, equal in every run. None was ever valid. */

/** A small generator: the corpus must not change from run to run. */
export class Chance {
  #seed: number;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
  }

  below(limit: number): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * limit);
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join("");
  }
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const digits = "0123456789";
const hex = `${digits}abcdef`;
const words =
  "otter candle river maple rocket velvet harbor cobalt meadow falcon ginger pixel tundra walnut".split(" ");
const people = "ada grace linus edsger barbara alan donald margaret".split(" ");

/** Passwords of people and of generators. */
function password(chance: Chance): string {
  const word = chance.of(words);
  const forms = [
    () => `${word[0]?.toUpperCase()}${word.slice(1)}${chance.text(4, digits)}!`,
    () => `${word}-${chance.of(words)}-${chance.text(2, digits)}`,
    () => chance.text(14, `${lower}${upper}${digits}!#%^*_+`).replace(/^[^A-Za-z]/, "K"),
    () => `${word}${chance.text(3, digits)}`,
    () => `P@ss${chance.text(2, digits)}${word}`,
  ];
  return chance.of(forms)();
}

const makers: Readonly<Record<string, (chance: Chance) => string>> = {
  pw: password,
  /** Encoded for an address. */
  upw: (chance) => encodeURIComponent(password(chance)),
  pin: (chance) => chance.text(6, digits),
  words: (chance) => [1, 2, 3, 4].map(() => chance.of(words)).join("-"),
  hex32: (chance) => chance.text(32, hex),
  hex40: (chance) => chance.text(40, hex),
  hex64: (chance) => chance.text(64, hex),
  up20: (chance) => chance.text(20, upper + digits),
  an20: (chance) => chance.text(20, lower + upper + digits),
  an24: (chance) => chance.text(24, lower + upper + digits),
  an32: (chance) => chance.text(32, lower + upper + digits),
  an40: (chance) => chance.text(40, lower + upper + digits),
  an64: (chance) => chance.text(64, lower + upper + digits),
  b64: (chance) => `${chance.text(43, `${lower}${upper}${digits}+/`)}=`,
  b64long: (chance) => `${chance.text(86, `${lower}${upper}${digits}+/`)}==`,
  url43: (chance) => chance.text(43, `${lower}${upper}${digits}-_`),
  django: (chance) => chance.text(50, `${lower}${digits}!@#%^*(-_=+)`).replace(/^[^a-z]/, "k"),
  uuid: (chance) => [8, 4, 4, 4, 12].map((length) => chance.text(length, hex)).join("-"),
  basic: (chance) => Buffer.from(`${chance.of(people)}:${password(chance)}`).toString("base64"),
  cookie: (chance) => chance.text(32, lower + upper + digits),
};

const plainMakers: Readonly<Record<string, (chance: Chance) => string>> = {
  user: (chance) => chance.of(people),
  host: (chance) => `${chance.of(words)}.example.${chance.of(["com", "org", "net"])}`,
  word: (chance) => chance.of(words),
  n: (chance) => chance.text(3, "123456789"),
};

/** A line of the corpus, and the part to mask. */
export interface CorpusLine {
  readonly text: string;
  /** Undefined for a line that must not change. */
  readonly secret: string | undefined;
  /** The line of the corpus that it was made from. */
  readonly pattern: string;
}

/** `{{pw}}` is a secret, `{{=hex40}}` a harmless look-alike, `{{user}}` any word. */
export function fill(pattern: string, seed: number): CorpusLine {
  const chance = new Chance(seed);
  let secret: string | undefined;
  const text = pattern.replaceAll(/\{\{(=?)(\w+)\}\}/g, (_, harmless: string, name: string) => {
    const plain = plainMakers[name];
    if (plain) return plain(chance);
    const make = makers[name];
    if (make === undefined) throw new Error(`no value is called ${name}`);
    const made = make(chance);
    if (harmless === "") secret = made;
    return made;
  });
  return { text: text.replaceAll("\\n", "\n").replaceAll("\\e", "\u001b"), secret, pattern };
}
