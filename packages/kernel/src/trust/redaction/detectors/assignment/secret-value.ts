import { isPlaceholder } from "../placeholder.ts";
import type { NameClass } from "./secret-name.ts";

/** Characters examined of a value; a longer one is judged by its beginning. */
export const judgedLength = 64;

const minTokenLength = 4;
const words = new Set(
  [
    "null none nil true false undefined void string str text number int integer float bool boolean bytes byte object any",
    "unknown never optional required yes no on off invalid missing expired empty unset default error failed denied",
    "same-origin include omit function class static private public typeof delete",
    "and or not is in of to for from with the a an was has could must cannot self this super await async new return",
  ]
    .join(" ")
    .split(" "),
);

/** Whether a quoted value after a secret's name is a secret. */
export function isSecretInQuotes(value: string, name: NameClass): boolean {
  if (value.trim() === "" || isPlaceholder(value) || words.has(value.toLowerCase())) return false;
  // The quote ends the text that contains the name: `prompt("Password: ")`.
  if (/^[),;\]}>]/.test(value)) return false;
  if (isLabel(value)) return false;
  if (name === "password") return true;
  return value.length >= minTokenLength && !isProse(value);
}

/** Translations of the word itself. */
const translated =
  /^(?:passwor[dt]|kennwort|mot de passe|contrase(?:ñ|n)a|senha|palavra-passe|wachtwoord|lösenord|adgangskode|passord|salasana|has(?:ł|l)o|heslo|jelszó|parol[ae]?|şifre|geheimnis|segreto|jeton|secreto|segredo|clé|chiave|schlüssel|token|secret)\W*$/i;
/** Words of sentences, not of passphrases. */
const functionWords =
  /(?:^|\s)(?:your|the|is|was|must|should|enter|please|forgot|reset|confirm|new|at|least|for|with|of|bitte|geben|sie|ihr|das|der|ist|le|la|les|votre|vous|doit|oublié|su|tu|el|es|uw|je|din|ditt|seu|sua|il|tua)(?:\s|$)/i;

/** One word with letters that English lacks: `Příznak`. */
const foreignWord = /^(?=.*[^ -~])\p{L}\p{Ll}+$/u;

/** A label of a form field, in any language: `"password": "Mot de passe"`. */
function isLabel(value: string): boolean {
  if (/\d/.test(value)) return functionWords.test(value) && /\s\S+\s/.test(value);
  if (translated.test(value)) return true;
  if (!/[ -\u024f]/.test(value)) return true; // A word in another script.
  if (foreignWord.test(value)) return true;
  if (!/\s/.test(value)) return false;
  return /[?.!…:]$/.test(value) || functionWords.test(value) || /^\p{Lu}\p{Ll}/u.test(value);
}

/** A sentence about a token, as in error messages. */
function isProse(value: string): boolean {
  return value.includes(" ") && !/\d/.test(value);
}

/** The context of an unquoted value. */
export interface Setting {
  readonly name: NameClass;
  /** `name=value` without spaces. Otherwise `name: value`, `name = value`, `--name value`. */
  readonly isTight: boolean;
  /** The name follows a dot: `options.password`. */
  readonly isMember: boolean;
  /** The assignment fills its line, as in a configuration file. */
  readonly fillsLine: boolean;
}

/** `Token?`, `String!`: a nullable or required type. */
const typeName = /^(?:string\?|[A-Z][a-z]+\?|(?:String|ID)!)$/;

/** Whether an unquoted value after a secret's name is a secret, and not a type, a call, an identifier or a word. */
export function isSecretUnquoted(value: string, setting: Setting): boolean {
  if (value === "" || isPlaceholder(value) || "{[(|\\!>@*=,.:;?#".includes(value[0] as string)) return false;
  const bare = value.replace(/[,)\]}>:\\]{1,4}$/, "");
  if (bare === "" || words.has(bare.toLowerCase())) return false;
  if (!setting.isTight && typeName.test(bare)) return false;
  if (setting.name === "token" && (bare.length < minTokenLength || isShortNumber(bare))) return false;
  if (isReference(value, setting.isTight) || isMinified(value, setting.isTight && !setting.isMember))
    return false;
  if (isLabel(bare)) return false;
  if (!isWord(bare)) return true;
  if (isRandomCase(bare)) return true;
  if (setting.isTight) return bare.length === value.length || !isNamedAlike(bare, setting);
  return setting.name === "password" && setting.fillsLine && /^[A-Za-z]+$/.test(value);
}

/** `request.headers.token`, `readToken(`, `tokens[`: an expression. */
function isReference(value: string, isTight: boolean): boolean {
  const path = /^[A-Za-z_$?.]+(?:::[A-Za-z_]+)*/.exec(value)?.[0] ?? "";
  const rest = value.slice(path.length);
  if (path === "") return false;
  if (rest === "(" || rest === "[") return true;
  if (rest.startsWith("(") || rest.startsWith("["))
    return !isTight || rest.endsWith(",") || /[)\]]/.test(rest);
  if (memberNamedAlike.test(value)) return true;
  const isDotted = path.includes(".") && /^[,);\]}]*$/.test(rest);
  return isDotted && (!isTight || roots.test(path));
}

/** `password:a,token:c`, `token=n=>n.split(".")`, `secret=void 0`: minified code. */
function isMinified(value: string, isTight: boolean): boolean {
  if (
    /^(?:\(?[A-Za-z_$][\w$]{0,2}\)?=>|(?:function|void|new|await|async|typeof|null|this|return)\b)/.test(
      value,
    )
  ) {
    return true;
  }
  if (/^(?:before|after|hover|focus|active)\b[{,:.]?/.test(value)) return true; // A selector of a style sheet.
  return !isTight && /^[A-Za-z_$][\w$]{0,2}(?:[.,;:?&|(){}[\]=]|$)/.test(value);
}

/** `r.password,`, `i?.secret`: the member of another object. */
const memberNamedAlike =
  /^[A-Za-z_$][\w$]*\??\.(?:\w+\??\.)*\w*(?:password|passwd|pwd|token|secret|key|credentials?)(?:[,;:)}\]?&|]|$)/i;

const roots = /^(?:process|this|self|env|os|config|req|request|ctx|args|options)\b/;

function isWord(value: string): boolean {
  return /^[A-Za-z_][A-Za-z_-]*$/.test(value);
}

function isShortNumber(value: string): boolean {
  return value.length < 8 && /^[\d.,]+$/.test(value);
}

/** `login(password=user_password)`: a variable is passed on. */
function isNamedAlike(value: string, { name }: Setting): boolean {
  const alike = name === "password" ? /pass|pwd/i : /token|secret|key|cred/i;
  return alike.test(value);
}

/** Letters that change case more often than joined words do. */
function isRandomCase(value: string): boolean {
  const humps = value.match(/[a-z][A-Z]/g)?.length ?? 0;
  return value.length >= 16 && humps * 5 >= value.length;
}
