import type { Detector } from "../scan/detector.ts";
import { detectAssignedSecrets } from "./assignment/assigned-secret.ts";
import { detectNamedKey, detectPlainKey } from "./assignment/named-key.ts";
import {
  detectPhraseCredentials,
  detectPhrasePassword,
  detectPhraseToken,
  detectShortName,
} from "./assignment/phrase-secret.ts";
import {
  detectAuthBlob,
  detectAuthorization,
  detectBasic,
  detectBearer,
  detectCookie,
} from "./credential/authorization.ts";
import { detectCommandSecrets, detectCurlUser } from "./credential/command-secret.ts";
import { detectDirective, detectMachineLogin, detectPasswordFile } from "./credential/directive.ts";
import { detectUrlCredentials } from "./credential/url-credentials.ts";
import { detectBankAccount } from "./personal/bank-account.ts";
import { detectCardNumber } from "./personal/card-number.ts";
import { detectEmail } from "./personal/email.ts";
import { detectPhoneNumber } from "./personal/phone-number.ts";
import { detectSocialSecurityNumber } from "./personal/social-security-number.ts";
import { detectEmbeddedTokens } from "./token/embedded-token.ts";
import { detectJsonWebToken, detectPrivateKey } from "./token/json-web-token.ts";
import { detectPrefixedToken } from "./token/prefixed-token.ts";
import { prefixedTokens } from "./token/prefixed-tokens.ts";
import { detectSecretAddresses } from "./token/secret-address.ts";

/** Exact detectors first: where two match at one position, the marker names the first. */
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
