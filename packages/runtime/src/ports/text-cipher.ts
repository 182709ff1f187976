/** Encrypts texts that the hub stores beside its store. */
export interface TextCipher {
  encrypt(text: string): string;
  /** Undefined when the text was not encrypted with this key. */
  decrypt(encrypted: string): string | undefined;
}
