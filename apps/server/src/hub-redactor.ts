import { createRedactor, isSecretName, type RedactionPolicy, type Redactor } from "@baton/kernel";
import { redactionLimits } from "@baton/runtime";
import { ServerError } from "./server-error.ts";

/** Named like passwords; masking them would mask every path in the working folder. */
const workingFolders = ["PWD", "OLDPWD"];

function isSecret(name: string): boolean {
  return isSecretName(name) && !workingFolders.includes(name);
}

/**
 * The redactor of the hub: the configured policy or that of A §5.3, personal data everywhere, and the values of environment
 * variables with names of secrets or with one of the given names. Values that cannot be masked, such as short ones, are left out: they occur in ordinary
 * text.
 */
export function hubRedactor(
  policy: RedactionPolicy | undefined,
  env: Readonly<Record<string, string | undefined>>,
  variables: readonly string[] = [],
): Redactor {
  const options = { personalData: "everywhere", limits: redactionLimits, ...(policy && { policy }) } as const;
  const candidates = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (variables.includes(name) || isSecret(name)) ? [value] : [],
  );
  const usable = candidates.filter((value) => createRedactor({ knownSecrets: [value] }).ok);
  const made = createRedactor({ ...options, knownSecrets: usable });
  if (made.ok) return made.redactor;
  const [problem] = made.problems;
  throw new ServerError(
    "BATON-SERVER-012",
    `the redaction policy cannot be used: ${problem?.at} ${problem?.message}`,
    problem?.fix ?? "",
  );
}
