/**
 * Names of secrets. `password` and similar names decide by themselves; a `token` may also belong to a parser or a model, so
 * its value must look like a secret.
 */
export type NameClass = "password" | "token";

export const secretNames: Readonly<Record<NameClass, readonly string[]>> = {
  password: [
    ...[
      "password",
      "passwd",
      "passphrase",
      "passcode",
      "pwd",
      "_pass",
      "-pass",
      "_pw",
      "-pw",
      "bindpw",
      "rootpw",
      "psk",
      "storepass",
      "keypass",
    ],
    ...["passwort", "kennwort", "mot de passe", "wachtwoord", "contrasena", "contrase\u00f1a"],
  ],
  token: [
    ...["secret", "token", "credential", "credentials"],
    ...["api_key", "api-key", "apikey", "access_key", "access-key", "accesskey", "secret_key", "secret-key"],
    ...["secretkey", "private_key", "private-key", "privatekey", "account_key", "account-key", "accountkey"],
    ...["encryption_key", "encryption-key", "encryptionkey", "signing_key", "signing-key", "signingkey"],
    ...[
      "master_key",
      "master-key",
      "masterkey",
      "auth_key",
      "auth-key",
      "authkey",
      "secret_key_base",
      "cookie_key",
      "session_key",
      "sessionkey",
    ],
  ],
};

/** The class of a JSON field name, or undefined for an ordinary one. */
export function classOfName(name: string): NameClass | undefined {
  const lower = name.toLowerCase();
  const ends = (word: string) => lower.endsWith(word);
  if (lower === "pass" || secretNames.password.some(ends)) return "password";
  return secretNames.token.some(ends) ? "token" : undefined;
}

/** Whether a value with this name, such as an environment variable, is a secret. */
export function isSecretName(name: string): boolean {
  return classOfName(name) !== undefined;
}
