import { createRedactor, isSecretName, type RedactionPolicy, type Redactor } from "@baton/kernel";
import { redactionLimits } from "@baton/runtime";
import { ServerError } from "./server-error.ts";

/** To the shell, PWD is no password: without them, no path below the working folder could be told. */
const workingFolders = ["PWD", "OLDPWD"];

/**
 * The redactor of the hub: the policy of the configuration, or that of A §5.3; personal data masked wherever it is found;
 * and the values of those variables of the hub's environment whose names say that they are secrets. A value that cannot
 * be masked, such as a short one, is left out: it would be found in ordinary text.
 */
export function hubRedactor(
  policy: RedactionPolicy | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Redactor {
  const options = { personalData: "everywhere", limits: redactionLimits, ...(policy && { policy }) } as const;
  const candidates = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecretName(name) && !workingFolders.includes(name) ? [value] : [],
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
