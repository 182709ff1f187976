/**
 * Secrets and personal data that nobody has, each unlike any other. All of them carry a mark, by which a search finds them
 * in any amount of bytes at once: letters, hexadecimal digits, or a number that was noted. Put together from parts, so
 * that no scanner of this repository takes them for real.
 */
export interface Canary {
  readonly kind: string;
  /** What is planted: the secret, as it would stand in a text. One line, but for those that have many. */
  readonly text: string;
  /** Whether it can stand alone where white space cannot. */
  readonly bare: boolean;
}

export const letterMark = "qz7wx";
export const hexMark = "0ddba11ca7";

/** What makes the values of one canary. */
class Mould {
  readonly #id: number;
  readonly #numbers: Set<string>;

  constructor(id: number, numbers: Set<string>) {
    this.#id = id;
    this.#numbers = numbers;
  }

  /** Letters and digits with the mark at both ends, so that half a secret is found too. */
  letters(length: number): string {
    const head = `Qz7Wx${this.#id.toString(36).padStart(4, "0")}`;
    const body = `${head}${"k3".repeat(length)}`.slice(0, Math.max(head.length, length - 5));
    return `${body}Qz7Wx`;
  }

  capitals(length: number): string {
    return this.letters(length).slice(0, length).toUpperCase();
  }

  hex(length: number): string {
    const head = hexMark + this.#id.toString(16).padStart(6, "0");
    return head.repeat(Math.ceil(length / head.length)).slice(0, length);
  }

  /** As many digits, beginning with these; noted, since digits bear no mark. */
  number(first: string, length: number): string {
    return first + String(this.#id).padStart(length - first.length, "0");
  }

  note(number: string): string {
    this.#numbers.add(number.replace(/\D/g, ""));
    return number;
  }
}

const armour = (word: string) => `-----${word} RSA PRIVATE KEY-----`;

type Maker = (mould: Mould) => string;

/** The kind, whether it can stand alone, and how it is written. */
const makers: readonly (readonly [kind: string, bare: boolean, make: Maker])[] = [
  ["baton-key", true, (m) => `bat${"on_"}ada_${m.letters(43)}`],
  ["aws-access-key", true, (m) => `AK${"IA"}${m.capitals(16)}`],
  ["google-api-key", true, (m) => `AI${"za"}${m.letters(35)}`],
  ["google-oauth-token", true, (m) => `ya${"29."}${m.letters(60)}`],
  ["digitalocean-token", true, (m) => `dop_${"v1_"}${m.hex(64)}`],
  ["github-token", true, (m) => `gh${"p_"}${m.letters(36)}`],
  ["github-fine-token", true, (m) => `github_${"pat_"}${m.letters(82)}`],
  ["gitlab-token", true, (m) => `gl${"pat-"}${m.letters(20)}`],
  ["npm-token", true, (m) => `np${"m_"}${m.letters(36)}`],
  ["pypi-token", true, (m) => `pypi-${"AgE"}${m.letters(100)}`],
  ["docker-token", true, (m) => `dckr_${"pat_"}${m.letters(27)}`],
  ["slack-token", true, (m) => `xo${"xb-"}123456789012-${m.letters(24)}`],
  ["sendgrid-key", true, (m) => `S${"G."}${m.letters(22)}.${m.letters(43)}`],
  ["twilio-key", true, (m) => `S${"K"}${m.hex(32)}`],
  ["stripe-key", true, (m) => `sk_${"live_"}${m.letters(24)}`],
  ["shopify-token", true, (m) => `shp${"at_"}${m.hex(32)}`],
  ["anthropic-key", true, (m) => `sk-${"ant-"}api03-${m.letters(90)}`],
  ["openai-key", true, (m) => `sk-${"proj-"}${m.letters(48)}`],
  ["huggingface-token", true, (m) => `h${"f_"}${m.letters(34)}`],
  ["vault-token", true, (m) => `hv${"s."}${m.letters(24)}`],
  ["databricks-token", true, (m) => `da${"pi"}${m.hex(32)}`],
  ["linear-key", true, (m) => `lin_${"api_"}${m.letters(40)}`],
  ["telegram-token", true, (m) => `110201543${":AA"}${m.letters(33)}`],
  ["json-web-token", true, (m) => `eyJ${m.letters(30)}.eyJ${m.letters(60)}.${m.letters(43)}`],
  ["basic-auth-url", true, (m) => `https://ada:${m.letters(16)}@host.example/x`],
  ["database-url", true, (m) => `postgres://app:${m.letters(16)}@db:5432/app`],
  ["signed-url", true, (m) => `https://host.example/x?se=2030&sig=${m.letters(43)}%3D`],
  ["slack-webhook", true, (m) => `https://hooks.slack.${"com/services/"}T0AB/B0CD/${m.letters(24)}`],
  ["private-key", false, (m) => `${armour("BEGIN")}\n${m.letters(64)}\n${m.letters(64)}\n${armour("END")}`],
  ["bearer-header", false, (m) => `Authorization: Bearer ${m.letters(40)}`],
  ["basic-header", false, (m) => `Authorization: Basic ${base64(`ada:${m.letters(20)}`)}`],
  ["bearer-in-text", false, (m) => `sent Bearer ${m.letters(40)} to it`],
  ["cookie", false, (m) => `Cookie: sid=${m.letters(24)}; theme=dark`],
  ["curl-user", false, (m) => `curl -s -u admin:${m.letters(14)} https://host.example`],
  ["env-line", true, (m) => `DB_PASSWORD=${m.letters(14)}`],
  ["exported-secret", false, (m) => `export CLIENT_SECRET="${m.letters(32)}"`],
  ["json-member", false, (m) => `{"api_key": "${m.letters(24)}"}`],
  ["yaml-member", false, (m) => `password: ${m.letters(14)}`],
  ["code-constant", false, (m) => `const secret = '${m.letters(20)}';`],
  ["option", false, (m) => `run --password ${m.letters(14)} now`],
  ["email", true, (m) => `${m.letters(14)}@example.${"org"}`],
  ["ssn", true, (m) => m.note(`${m.number("2", 3).slice(0, 1)}19-0${digit(m)}-${tail(m)}`)],
  ["card-number", false, (m) => m.note(grouped(luhn(m.number("4", 15))))],
  ["iban", true, (m) => m.note(iban(m.number("37", 18)))],
  ["phone", false, (m) => m.note(`+1 415 ${m.number("5", 7).slice(0, 3)} ${m.number("5", 7).slice(3)}`)],
  [
    "phone-in-parentheses",
    false,
    (m) => m.note(`(415) ${m.number("6", 7).slice(0, 3)}-${m.number("6", 7).slice(3)}`),
  ],
];

const digit = (m: Mould) => String((Number(m.number("", 8)) % 9) + 1);
const tail = (m: Mould) => String((Number(m.number("", 8)) % 9_999) + 1).padStart(4, "0");

export const kinds: readonly string[] = makers.map(([kind]) => kind);

/** Makes canaries, each with a number of its own, and knows what it made. */
export class Aviary {
  #count = 0;
  /** Digits of the numbers that were planted. */
  readonly numbers = new Set<string>();
  /** Where each was planted, by its number in base 36 and in hexadecimal digits. */
  readonly planted = new Map<string, string>();

  make(at: string, choose: { readonly bare: boolean }): Canary {
    const candidates = choose.bare ? makers.filter(([, bare]) => bare) : makers;
    const id = ++this.#count;
    const [kind, bare, make] = candidates[id % candidates.length] as (typeof makers)[number];
    this.planted.set(id.toString(36).padStart(4, "0"), `${at} (${kind})`);
    return { kind, bare, text: make(new Mould(id, this.numbers)) };
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function luhn(digits: string): string {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const value = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 0 ? value * 2 : value;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits + String((10 - (sum % 10)) % 10);
}

function grouped(digits: string): string {
  return digits.replace(/(\d{4})(?=\d)/g, "$1 ");
}

function iban(account: string): string {
  const rest = [...`${account}131400`].reduce((sum, one) => (sum * 10 + Number(one)) % 97, 0);
  return `DE${String(98 - rest).padStart(2, "0")}${account}`;
}
