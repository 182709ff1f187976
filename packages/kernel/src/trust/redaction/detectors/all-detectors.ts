import type { Detector } from "../scan/detector.ts";
import { detectAssignedSecrets } from "./assigned-secret.ts";
import {
  detectAuthBlob,
  detectAuthorization,
  detectBasic,
  detectBearer,
  detectCookie,
} from "./authorization.ts";
import { detectBankAccount } from "./bank-account.ts";
import { detectCardNumber } from "./card-number.ts";
import { detectCommandSecrets } from "./command-secret.ts";
import { detectCurlUser } from "./curl-user.ts";
import { detectDirective, detectMachineLogin, detectPasswordFile } from "./directive.ts";
import { detectEmail } from "./email.ts";
import { detectEmbeddedTokens } from "./embedded-token.ts";
import { detectJsonWebToken } from "./json-web-token.ts";
import { detectNamedKey, detectPlainKey } from "./named-key.ts";
import { detectPhoneNumber } from "./phone-number.ts";
import {
  detectPhraseCredentials,
  detectPhrasePassword,
  detectPhraseToken,
  detectShortName,
} from "./phrase-secret.ts";
import { detectPrefixedToken } from "./prefixed-token.ts";
import { prefixedTokens } from "./prefixed-tokens.ts";
import { detectPrivateKey } from "./private-key.ts";
import { detectSecretAddresses } from "./secret-address.ts";
import { detectSocialSecurityNumber } from "./social-security-number.ts";
import { detectUrlCredentials } from "./url-credentials.ts";

/** The exact ones first: where two find something at one place, the marker names the first. */
export const secretDetectors: readonly Detector[] = [
  ...prefixedTokens.flatMap(detectPrefixedToken),
  ...detectEmbeddedTokens,
  detectJsonWebToken,
  detectPrivateKey,
  ...detectSecretAddresses,
  detectUrlCredentials,
  detectAuthorization,
  detectBearer,
  detectBasic,
  detectCookie,
  detectCurlUser,
  detectAuthBlob,
  ...detectAssignedSecrets,
  detectNamedKey,
  detectPlainKey,
  detectMachineLogin,
  detectDirective,
  detectPasswordFile,
  ...detectCommandSecrets,
  detectPhrasePassword,
  detectPhraseToken,
  detectPhraseCredentials,
  detectShortName,
];

export const personalDetectors: readonly Detector[] = [
  detectEmail,
  detectSocialSecurityNumber,
  detectCardNumber,
  detectBankAccount,
  detectPhoneNumber,
];
