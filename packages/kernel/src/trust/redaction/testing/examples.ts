/**
 * One example of every kind, with a harmless look-alike. Concatenated, so that secret scanners of this repository do not
 * report them.
 */
export interface Example {
  readonly kind: string;
  /** A text with the secret, and the part to mask. */
  readonly text: string;
  readonly secret: string;
  readonly lookalike: string;
}

const mixed = "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ";
const hex = "0123456789abcdef";

/** Letters and digits in a fixed disorder. */
export function scrambled(length: number, alphabet = mixed): string {
  return Array.from({ length }, (_, at) => alphabet[(at * 7 + (at >> 2) * 5 + 3) % alphabet.length]).join("");
}

const letters = (length: number) => scrambled(length);
const hexes = (length: number) => scrambled(length, hex);
const capitals = (length: number) => scrambled(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");

/** A token with a prefix; its look-alike is the prefix with too little after it. */
function token(kind: string, prefix: string, rest: string): Example {
  const secret = prefix + rest;
  return { kind, secret, text: `using ${secret} now`, lookalike: `using ${prefix}${rest.slice(0, 3)} now` };
}

function within(kind: string, before: string, secret: string, after: string, lookalike: string): Example {
  return { kind, secret, text: before + secret + after, lookalike };
}

const armour = (label: string) => (edge: string) => `-----${edge} ${label}-----`;
const privateKey = armour("RSA PRIVATE KEY");
const publicKey = armour("PUBLIC KEY");
const body = `${letters(64)}\n${letters(64)}\n${letters(20)}==`;

export const secretExamples: readonly Example[] = [
  token("baton-key", `bat${"on_"}`, `ada_${letters(43)}`),
  token("aws-access-key", `AK${"IA"}`, capitals(16)),
  token("google-api-key", `AI${"za"}`, letters(35)),
  token("google-oauth-token", `ya${"29."}`, letters(60)),
  token("google-client-secret", `GOC${"SPX-"}`, letters(28)),
  token("alibaba-access-key", `LT${"AI"}`, letters(20)),
  token("digitalocean-token", `dop_${"v1_"}`, hexes(64)),
  token("heroku-key", `HRKU${"-"}`, letters(40)),
  token("fly-token", `fo${"1_"}`, letters(40)),
  token("netlify-token", `nf${"p_"}`, letters(36)),
  token("supabase-key", `sb${"p_"}`, hexes(40)),
  token("planetscale-token", `pscale_${"tkn_"}`, letters(43)),
  token("cloudflare-ca-key", `v1.${"0-"}`, letters(140)),
  token("github-token", `gh${"p_"}`, letters(36)),
  token("github-token", `github_${"pat_"}`, letters(82)),
  token("gitlab-token", `gl${"pat-"}`, letters(20)),
  token("npm-token", `np${"m_"}`, letters(36)),
  token("pypi-token", `pypi-${"AgE"}`, letters(100)),
  token("rubygems-key", `ruby${"gems_"}`, hexes(48)),
  token("docker-token", `dckr_${"pat_"}`, letters(27)),
  token("circleci-token", `CCI${"PAT_"}`, letters(50)),
  token("buildkite-token", `bk${"ua_"}`, letters(40)),
  token("sonar-token", `sq${"u_"}`, hexes(40)),
  token("atlassian-token", `ATA${"TT3"}`, letters(180)),
  token("jfrog-key", `AK${"Cp"}`, letters(69)),
  token("slack-token", `xo${"xb-"}`, `${scrambled(12, "0123456789")}-${letters(24)}`),
  token("sendgrid-key", `S${"G."}`, `${letters(22)}.${letters(43)}`),
  token("twilio-key", `S${"K"}`, hexes(32)),
  token("stripe-key", `sk_${"live_"}`, letters(24)),
  token("square-token", `sq0${"atp-"}`, letters(22)),
  token("shopify-token", `shp${"at_"}`, hexes(32)),
  token("anthropic-key", `sk-${"ant-"}`, `api03-${letters(90)}`),
  token("openai-key", `sk-${"proj-"}`, letters(48)),
  token("model-key", `s${"k-"}`, letters(48)),
  token("huggingface-token", `h${"f_"}`, letters(34)),
  token("vault-token", `hv${"s."}`, letters(24)),
  token("doppler-token", `dp.${"pt."}`, letters(43)),
  token("databricks-token", `da${"pi"}`, hexes(32)),
  token("grafana-token", `gl${"sa_"}`, `${letters(32)}_${hexes(8)}`),
  token("new-relic-key", `NR${"AK-"}`, capitals(27)),
  token("sentry-token", `sntr${"ys_"}`, letters(60)),
  token("dynatrace-token", `dt0${"c01."}`, `${capitals(24)}.${capitals(64)}`),
  token("pulumi-token", `pu${"l-"}`, hexes(40)),
  token("tailscale-key", `ts${"key-"}`, `auth-${letters(30)}`),
  token("linear-key", `lin_${"api_"}`, letters(40)),
  token("notion-token", `nt${"n_"}`, letters(46)),
  token("figma-token", `fi${"gd_"}`, letters(40)),
  token("postman-key", `PM${"AK-"}`, `${hexes(24)}-${hexes(34)}`),
  token("contentful-token", `CF${"PAT-"}`, letters(43)),
  token("age-key", `AGE-SECRET-${"KEY-1"}`, capitals(58)),
  within(
    "telegram-token",
    "bot ",
    `110201543${":AA"}${letters(33)}`,
    " up",
    "bot 12:AA pm, id 110201543:AAB",
  ),
  within("azure-client-secret", "use ", `Abc${"8Q~"}${letters(34)}`, " ", "8Q~ is not one"),
  within(
    "terraform-token",
    "use ",
    `${letters(14)}${".atlasv1."}${letters(67)}`,
    " ",
    "see the .atlasv1. format",
  ),
  within("mailchimp-key", "key ", `${hexes(32)}${"-us"}12`, " ", `digest ${hexes(40)}-us12`),
  within(
    "json-web-token",
    "jwt ",
    `eyJ${letters(30)}.eyJ${letters(60)}.${letters(43)}`,
    "!",
    `map eyJ${letters(200)}`,
  ),
  within(
    "private-key",
    "key:\n",
    `${privateKey("BEGIN")}\n${body}\n${privateKey("END")}`,
    "\nend",
    `${publicKey("BEGIN")}\n${body}\n${publicKey("END")}`,
  ),
  within(
    "slack-webhook",
    `to https://hooks.slack.${"com/services/"}`,
    `T0AB/B0CD/${letters(24)}`,
    " ok",
    "hooks.slack.com/services/ is down",
  ),
  within(
    "discord-webhook",
    `discord.${"com/api/webhooks/"}`,
    `1234567890/${letters(68)}`,
    " ok",
    "discord.com/api/webhooks/help",
  ),
  within(
    "url-signature",
    "https://host/x?se=2030&sig=",
    `${letters(40)}%3D`,
    " ok",
    "https://host/x?sig=short",
  ),
  within(
    "url-credentials",
    "postgres://app:",
    "hunter2",
    "@db:5432/app",
    "http://localhost:8080/a@b and ssh://git@host/x",
  ),
  within(
    "url-credentials",
    "local/postgres:%2F%2Fapp:",
    "hunter2",
    "@db:5432%2Fapp/stage",
    "http:%2F%2Flocalhost:8080%2Fa@b and ssh:%2F%2Fgit@host",
  ),
  within(
    "authorization-header",
    "Authorization: Digest ",
    "username=x, response=abc",
    "\nHost: x",
    "authorization: denied for bob",
  ),
  within("bearer-token", "sent Bearer ", letters(30), " to x", "the bearer authentication scheme"),
  within(
    "basic-credentials",
    "sent Basic ",
    "dXNlcjpodW50ZXIy",
    " to x",
    "Basic training and basic c29tZXRoaW5n",
  ),
  within("cookie", "Cookie: sid=", "s3ss10n; theme=dark", "\nHost: x", "cookie: rejected"),
  within("curl-credentials", "curl -s -u admin:", "hunter2", " https://x", "docker run -u 1000:1000 image"),
  within(
    "assigned-password",
    "DB_PASSWORD=",
    "hunter2",
    " ./run",
    "password: string; password = readPassword()",
  ),
  within(
    "assigned-secret",
    '"api_key": "',
    "fh28dk29sk",
    '"',
    "unexpected token: expected a name; max_tokens=4096",
  ),
  within("auth-blob", '"auth": "', `YWRh${"Omh1bnRlcjIy"}`, '"', `"auth": "b2F1dGgyIGlzIHVzZWQ="`),
  within("assigned-key", "PAGER_KEY=", letters(20), "", "SORT_KEY=created-at-timestamp"),
  within(
    "machine-login",
    "machine example.org login ada password ",
    "hunter22",
    "",
    "the machine asks for a password twice",
  ),
  within("directive-secret", "requirepass ", "hunter22", "", "requirepass yes"),
  within("password-file", "db.example.org:5432:app:ada:", "hunter22", "", "10:5432:12"),
  within("command-password", "sshpass -p ", "hunter22", " ssh example.org", "ssh -p 2222 example.org"),
  within(
    "command-credentials",
    "curl -b 'session=",
    letters(20),
    "' https://example.org",
    "curl -b cookies.txt https://example.org",
  ),
  within("phrase-password", "the password is ", "hunter22", "", "the password is required"),
  within("phrase-secret", "the api key is ", letters(32), "", "the api key is missing"),
  within("phrase-credentials", "credentials are ada / ", "hunter22", "", "credentials are in/out"),
];

const personal = (kind: string, secret: string, lookalike: string) =>
  within(kind, "call ", secret, " today", lookalike);

export const personalExamples: readonly Example[] = [
  personal(
    "email",
    `jane.doe+x@example.${"org"}`,
    "lodash@4.17.21, git@github.com:a/b, a@b, @scope/pkg, x@2.0.0-beta.rc",
  ),
  personal("ssn", `219-09-${"9999"}`, "000-12-3456, 2024-01-15, 219-09-99991, 1219-09-9999"),
  personal(
    "card-number",
    `4111 1111 1111 ${"1111"}`,
    "4111 1111 1111 1112, 1700000000000000, 1.4111111111111111",
  ),
  personal("iban", `DE89 3704 0044 0532 0130 ${"00"}`, "DE89 3704 0044 0532 0130 01, AB12 3456"),
  personal("phone", `+1 (415) 555-${"2671"}`, "2024-01-15 10:30:00+0200, 10.20.30.40, +12345678"),
  personal("phone", `(415) 555-${"2671"}`, "f(415) 555"),
  personal("phone", `415-555-${"2671"}`, "115-555-2671, 1.415.555.26715"),
];
