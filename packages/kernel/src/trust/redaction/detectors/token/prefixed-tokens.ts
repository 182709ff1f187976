import { alphanumeric, base64Url, charClass, domain, identifier } from "../../scan/char-class.ts";
import type { PrefixedToken } from "./prefixed-token.ts";

const { digit, upper, hex, dot, tilde, symbolOfBase64 } = charClass;
const dotted = base64Url | dot;
const padded = base64Url | symbolOfBase64;
const capitals = upper | digit;

/** Tokens with a prefix, in the form that each issuer publishes. */
export const prefixedTokens: readonly PrefixedToken[] = [
  // Baton itself
  { kind: "baton-key", prefixes: ["baton_"], characters: base64Url, least: 45 },
  // Clouds
  {
    kind: "aws-access-key",
    prefixes: ["AKIA", "ASIA", "ABIA", "ACCA"],
    characters: capitals,
    least: 16,
    exact: true,
  },
  { kind: "google-api-key", prefixes: ["AIza"], characters: base64Url, least: 35 },
  { kind: "google-oauth-token", prefixes: ["ya29."], characters: base64Url, least: 20 },
  { kind: "google-client-secret", prefixes: ["GOCSPX-"], characters: base64Url, least: 20 },
  { kind: "alibaba-access-key", prefixes: ["LTAI"], characters: alphanumeric, least: 16 },
  { kind: "digitalocean-token", prefixes: ["dop_v1_", "doo_v1_", "dor_v1_"], characters: hex, least: 32 },
  { kind: "heroku-key", prefixes: ["HRKU-"], characters: base64Url, least: 32 },
  { kind: "fly-token", prefixes: ["FlyV1 fm", "fo1_"], characters: padded, least: 24 },
  { kind: "netlify-token", prefixes: ["nfp_"], characters: alphanumeric, least: 32 },
  { kind: "supabase-key", prefixes: ["sbp_", "sb_secret_"], characters: base64Url, least: 30 },
  { kind: "planetscale-token", prefixes: ["pscale_tkn_", "pscale_pw_"], characters: dotted, least: 30 },
  { kind: "cloudflare-ca-key", prefixes: ["v1.0-"], characters: base64Url, least: 100 },
  // Code and its supply
  {
    kind: "github-token",
    prefixes: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    characters: identifier,
    least: 30,
  },
  {
    kind: "gitlab-token",
    prefixes: ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-", "glimt-"],
    characters: dotted,
    least: 18,
  },
  { kind: "npm-token", prefixes: ["npm_"], characters: alphanumeric, least: 36 },
  { kind: "pypi-token", prefixes: ["pypi-AgE"], characters: base64Url, least: 40 },
  { kind: "rubygems-key", prefixes: ["rubygems_"], characters: hex, least: 40 },
  { kind: "docker-token", prefixes: ["dckr_pat_", "dckr_oat_"], characters: base64Url, least: 20 },
  { kind: "circleci-token", prefixes: ["CCIPAT_", "CCIPRJ_"], characters: identifier, least: 30 },
  { kind: "buildkite-token", prefixes: ["bkua_"], characters: alphanumeric, least: 32 },
  { kind: "sonar-token", prefixes: ["squ_", "sqp_", "sqa_"], characters: hex, least: 40 },
  { kind: "atlassian-token", prefixes: ["ATATT3", "ATCTT3", "ATBB"], characters: padded, least: 24 },
  { kind: "jfrog-key", prefixes: ["AKCp"], characters: alphanumeric, least: 60 },
  // Messages and payments
  {
    kind: "slack-token",
    prefixes: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxc-", "xoxd-", "xapp-", "xoxe.xox"],
    characters: dotted | symbolOfBase64,
    least: 10,
  },
  { kind: "sendgrid-key", prefixes: ["SG."], characters: dotted, least: 40 },
  { kind: "twilio-key", prefixes: ["SK"], characters: hex, least: 32, exact: true },
  {
    kind: "stripe-key",
    prefixes: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_", "whsec_"],
    characters: alphanumeric | symbolOfBase64,
    least: 16,
  },
  { kind: "square-token", prefixes: ["sq0atp-", "sq0csp-", "sq0idp-"], characters: base64Url, least: 20 },
  { kind: "shopify-token", prefixes: ["shpat_", "shpca_", "shppa_", "shpss_"], characters: hex, least: 32 },
  // Models
  { kind: "anthropic-key", prefixes: ["sk-ant-"], characters: base64Url, least: 20 },
  {
    kind: "openai-key",
    prefixes: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sk-or-v1-"],
    characters: base64Url,
    least: 20,
  },
  {
    kind: "model-key",
    prefixes: ["sk-", "gsk_", "pplx-", "xai-", "r8_", "fw_"],
    characters: alphanumeric,
    least: 32,
  },
  { kind: "huggingface-token", prefixes: ["hf_", "api_org_"], characters: alphanumeric, least: 30 },
  // Tools and operations
  { kind: "vault-token", prefixes: ["hvs.", "hvb.", "hvr."], characters: base64Url, least: 24 },
  {
    kind: "doppler-token",
    prefixes: ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."],
    characters: dotted,
    least: 32,
  },
  { kind: "databricks-token", prefixes: ["dapi"], characters: hex, least: 32 },
  { kind: "grafana-token", prefixes: ["glsa_", "glc_"], characters: padded | identifier, least: 32 },
  { kind: "new-relic-key", prefixes: ["NRAK-", "NRJS-", "NRII-", "NRIQ-"], characters: base64Url, least: 19 },
  { kind: "sentry-token", prefixes: ["sntrys_", "sntryu_"], characters: padded, least: 40 },
  { kind: "dynatrace-token", prefixes: ["dt0c01.", "dt0s01.", "dt0s16."], characters: domain, least: 40 },
  { kind: "pulumi-token", prefixes: ["pul-"], characters: hex, least: 40 },
  { kind: "tailscale-key", prefixes: ["tskey-"], characters: base64Url, least: 20 },
  { kind: "linear-key", prefixes: ["lin_api_", "lin_oauth_"], characters: alphanumeric, least: 32 },
  { kind: "notion-token", prefixes: ["ntn_", "secret_"], characters: alphanumeric, least: 40 },
  { kind: "figma-token", prefixes: ["figd_", "figo_"], characters: base64Url, least: 20 },
  { kind: "postman-key", prefixes: ["PMAK-"], characters: base64Url, least: 40 },
  { kind: "contentful-token", prefixes: ["CFPAT-"], characters: base64Url | tilde, least: 40 },
  { kind: "age-key", prefixes: ["AGE-SECRET-KEY-1"], characters: capitals, least: 50 },
];
