import { describe, expect, it } from "vitest";
import { maxArmour } from "../scan/tail.ts";
import { scrambled } from "../testing/examples.ts";
import { redactorOf } from "../testing/redactor.ts";

const redactor = redactorOf();
const hex = (length: number) => scrambled(length, "0123456789abcdef");

/** The same numbers at every run, spread like chance. */
function pseudoRandomBytes(count: number): Buffer {
  let seed = 7;
  return Buffer.from(
    Array.from({ length: count }, () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed >>> 24;
    }),
  );
}

describe("ordinary text is left as it is", () => {
  it.each([
    ["a commit", `commit ${hex(40)} (HEAD -> main, origin/main)`],
    ["a short commit", "Merge 24e8cb1 into 52ea707"],
    ["a UUID", "task 550e8400-e29b-41d4-a716-446655440000 done"],
    ["a UUID of digits", "id 41111111-1111-4111-8111-111111111111"],
    ["a digest", `image@sha256:${hex(64)}`],
    ["an integrity", `"integrity": "sha512-${scrambled(86)}=="`],
    ["versions", "node v24.21.0, typescript@7.0.2, ^1.2.3-beta.4, 10.0.22631.4037"],
    ["timestamps", "2026-03-01T12:34:56.789Z 1767225600000 1767225600000000 1767225600000000000 +0200"],
    ["addresses", "10.0.0.1:8080 192.168.100.200 fe80::1ff:fe23:4567:890a 00:1a:2b:3c:4d:5e"],
    ["numbers", "total 1,234,567.89 bytes, 123456789 rows, 3.14159265358979, 0x7fffffffffff, 1e-9"],
    ["links", "see https://example.org/a/b?page=2&sort=name#top and http://localhost:3000/@user/x"],
    ["a pinned package", "npm i @scope/name@1.2.3 react@19"],
    ["a clone", "git clone git@github.com:org/repo.git && git clone https://github.com/org/repo"],
    ["counts of tokens", '{"max_tokens":4096,"input_tokens":512,"token_count":12,"tokens":[1,2]} token: 42'],
    ["talk of secrets", "the secret is safe; tokens expire; password required; no credentials: denied"],
    [
      "messages of errors",
      "SyntaxError: Unexpected token '}' in JSON; invalid token: missing; bad password: too short",
    ],
    ["a public key", `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${scrambled(43)} me`],
    [
      "placeholders",
      `password=$${"{PASSWORD}"} token={{ token }} secret=<secret> api_key=$API_KEY pwd=**** key=xxxx`,
    ],
    ["markers", "password=[redacted:known-secret] token: [redacted:field]"],
    ["a coverage table", "file.ts | 98.41 | 91.3 | 100 | 98.41 | 42-44,51"],
    ["a hunk of a patch", "@@ -12,6 +12345,7 @@ function token() {\n+12345678\n-87654321"],
    ["the folder of a shell", 'SHLVL=1\nPWD=/srv/work/shop-1\nOLDPWD=/\n{"PWD":"/home/ada"} cd $PWD'],
    ["a path", "/usr/lib/node_modules/key-store/secret-manager/token-parser/index.js:10:5"],
  ])("[OBS-05] %s", (_, text) => {
    expect(redactor.redactText(text)).toEqual({ text, redactions: [] });
  });

  it.each([
    "const token = await readToken(source);",
    "function login(user: string, password: string): Promise<Token> {",
    "interface Options { readonly token?: string; password: string; apiKey: string | undefined }",
    "this.password = options.password; self.token = token",
    "if (token === expected.token) return tokens[0];",
    "password: z.string().min(8), secret: secretSchema, token,",
    "client = Client(token=os.environ['TOKEN'], password=get_password(user))",
    "const { token, secret } = request.headers; tokens.map((token) => token.id)",
    "let token: Option<String> = None; token := parts[1]",
    'type="password" name="token" placeholder="Password:" class="wide"',
    "<Input password={value} token={props.token} />",
    "password = getpass.getpass()",
    "export PASSWORD=$(cat /run/secrets/password)",
  ])("[OBS-05] code: %s", (text) => {
    expect(redactor.redactText(text)).toEqual({ text, redactions: [] });
  });

  it("[OBS-05] an image in base64, and any other", () => {
    const bytes = pseudoRandomBytes(1_500_000);
    const image = `<img src="data:image/png;base64,${bytes.toString("base64")}">`;
    expect(redactor.redactText(image).redactions).toEqual([]);
    expect(redactor.redactText(bytes.toString("base64url")).redactions).toEqual([]);
    expect(redactor.redactText(bytes.toString("hex")).redactions).toEqual([]);
  });
});

describe("secrets in the forms in which they turn up", () => {
  it.each([
    ["env", "DB_PASSWORD=hunter2", "DB_PASSWORD=*"],
    ["env with quotes", "export API_TOKEN='abc def 1'", "export API_TOKEN='*'"],
    ["a numbered name", "PASSWORD_2=swordfish", "PASSWORD_2=*"],
    ["yaml", "db:\n  password: swordfish\n  port: 1", "db:\n  password: *\n  port: 1"],
    ["yaml with quotes", '  clientSecret: "x9 y8"', '  clientSecret: "*"'],
    ["json", '{"password":"a\\"b","n":1}', '{"password":"*","n":1}'],
    ["json in json", '"{\\"password\\":\\"hunter2\\"}"', '"{\\"password\\":\\"*\\"}"'],
    ["ini", "password = hunter2\n", "password = *\n"],
    ["toml", 'secret_key = "k-e-y-1"', 'secret_key = "*"'],
    ["xml", "<db:password>hunter2</db:password>", "<db:password>*</db:password>"],
    ["an address", "https://x/?user=a&token=abcd1234&b=2", "https://x/?user=a&token=*&b=2"],
    ["a form", "user=a&password%3Dhunter2", "user=a&password%3D*"],
    ["a connection string", "Server=db;Uid=app;Pwd=hunter2;", "Server=db;Uid=app;Pwd=*;"],
    ["a connection string in capitals", "UID=app;PWD=/hunter2;", "UID=app;PWD=*;"],
    ["a password with a slash", "DB_PWD=/hunter2", "DB_PWD=*"],
    ["a storage account", `AccountName=x;AccountKey=${scrambled(86)}==;`, "AccountName=x;AccountKey=*;"],
    ["an option", "tool --db-password hunter2 --verbose", "tool --db-password * --verbose"],
    ["python", "config['password'] = 'hunter2'", "config['password'] = '*'"],
    ["typescript", 'const apiKey: string = "hunter22";', 'const apiKey: string = "*";'],
    ["a python literal", 'token = b"hunter22"', 'token = b"*"'],
    ["ruby", ":password => 'hunter2'", ":password => '*'"],
    ["go", 'token := "hunter22"', 'token := "*"'],
    ["an npmrc", "//registry.example.org/:_authToken=abcd-1234", "//registry.example.org/:_authToken=*"],
    ["a header", "X-Api-Key: abcd1234efgh", "X-Api-Key: *"],
    ["a comma within", "password=a,b", "password=*"],
    ["a comma after", "f(password=ab1, x)", "f(password=*, x)"],
    ["a colour before", `\u001b[32mgh${"p_"}${scrambled(36)}\u001b[0m`, "\u001b[32m*\u001b[0m"],
    ["an escape before", `"line\\ngh${"p_"}${scrambled(36)}"`, '"line\\n*"'],
    ["a percent escape before", `%3Dgh${"p_"}${scrambled(36)}`, "%3D*"],
  ])("[OBS-05] %s", (_, text, expected) => {
    expect(redactor.redactText(text).text.replace(/\[redacted:[a-z-]+\]/g, "*")).toBe(expected);
  });

  it("[OBS-05] masks a key as a whole where it stands after a name", () => {
    const edge = (word: string) => `-----${word} PRIVATE KEY-----`;
    const text = `PRIVATE_KEY="${edge("BEGIN")}\\n${scrambled(64)}\\n${edge("END")}\\n" next`;
    expect(redactor.redactText(text).text).toBe('PRIVATE_KEY="[redacted:private-key]" next');
    const bare = `key=${edge("BEGIN")}\n${scrambled(64)}\n${edge("END")}\nnext`;
    expect(redactor.redactText(bare).text).toBe("key=[redacted:private-key]\nnext");
  });

  it("[OBS-05] stops masking where a key breaks off", () => {
    const text = `-----BEGIN PRIVATE KEY-----\n${scrambled(64)}\n[info] {"level": 30}`;
    expect(redactor.redactText(text).text).toBe('[redacted:private-key][info] {"level": 30}');
  });

  it("[OBS-05] does not let a key without an end swallow everything", () => {
    const [begin, after] = [
      "-----BEGIN PRIVATE KEY-----\n",
      "all is well and nothing is wrong\n".repeat(2000),
    ];
    const { text, redactions } = redactor.redactText(begin + after);
    expect(redactions).toEqual([{ kind: "private-key", start: 0, end: begin.length - 1 + maxArmour }]);
    expect(text.endsWith("all is well and nothing is wrong\n")).toBe(true);
  });
});
