import { answer, category, fence, none, pretty, weather, written } from "./case.ts";

const raw = String.raw;
const answers = (message: string) => answer({ message });
const data = (value: Record<string, unknown>) => answer({ data: value as never });

export const quotes = category("unescaped quotes", [
  ["around a word", written({ message: '"He said "no" to it."' }), answers('He said "no" to it.')],
  ["at the end", written({ message: '"He said "no""' }), answers('He said "no"')],
  ["at the beginning", written({ message: '""No" is what he said."' }), answers('"No" is what he said.')],
  [
    "before a comma",
    written({ thought: '"The so-called "dictator", who waits, is away."' }),
    answer({ thought: 'The so-called "dictator", who waits, is away.' }),
  ],
  [
    "for inches",
    written({ message: '"A 65" television, which is good."' }),
    answers('A 65" television, which is good.'),
  ],
  [
    "of an attribute",
    written({ message: '"<h3 id="title">200 experts - "passion"?</h3>"' }),
    answers('<h3 id="title">200 experts - "passion"?</h3>'),
  ],
  [
    "in a list",
    written({ data: '{"names": ["the "old" one", "the "new" one"]}' }),
    data({ names: ['the "old" one', 'the "new" one'] }),
  ],
  [
    "around an object",
    written({ message: '"It returned {"code": 1, "ok": true} twice."' }),
    answers('It returned {"code": 1, "ok": true} twice.'),
  ],
  [
    "around an object that has a status",
    written({ thought: '"It returned {"code": 1, "status": "failure"} to me."' }),
    answer({ thought: 'It returned {"code": 1, "status": "failure"} to me.' }),
  ],
  [
    "around lines of JSON",
    written({ message: '"Use this:\n{\n  "a": 1,\n  "b": "x"\n}\nThat is all."' }),
    answers('Use this:\n{\n  "a": 1,\n  "b": "x"\n}\nThat is all.'),
  ],
  [
    "in a diagram",
    written({ data: raw`{"diagram": "A ||--o{ B : "has many"", "n": 1}` }),
    data({ diagram: 'A ||--o{ B : "has many"', n: 1 }),
  ],
  [
    "in code",
    written({ message: '"Call print("hello world") first."' }),
    answers('Call print("hello world") first.'),
  ],
  ["before a bracket", written({ message: '"See "[1]" and "(2)"."' }), answers('See "[1]" and "(2)".')],
  [
    "in several fields",
    written({ thought: '"I "think" so."', message: '"I "say" so."' }),
    answer({ thought: 'I "think" so.', message: 'I "say" so.' }),
  ],
  ["after prose", `Here: ${written({ message: '"He said "no" to it."' })}`, answers('He said "no" to it.')],
  [
    "missing at the end of a line",
    `{\n  "thought": "t,\n  "status": "success",\n  "data": {},\n  "message": "m"\n}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
]);

export const lines = category("line breaks in texts", [
  ["a line break", written({ message: '"one\ntwo"' }), answers("one\ntwo")],
  ["a line break of Windows", written({ message: '"one\r\ntwo"' }), answers("one\r\ntwo")],
  [
    "several, and a list",
    written({ message: '"Steps:\n\n- one\n- two\n"' }),
    answers("Steps:\n\n- one\n- two\n"),
  ],
  ["a tab", written({ message: '"a\tb"' }), answers("a\tb")],
  ["a control character", written({ message: '"a\u0001b"' }), answers("a\u0001b")],
  ["with quotes", written({ message: '"He said:\n"no"\nand left."' }), answers('He said:\n"no"\nand left.')],
  [
    "before prose in the next line",
    `Well:\n${written({ thought: '"one\ntwo: three"' })}\nDone.`,
    answer({ thought: "one\ntwo: three" }),
  ],
  ["of code", written({ message: '"if (a) {\n  b();\n}"' }), answers("if (a) {\n  b();\n}")],
  ["continued by a backslash", written({ message: '"one \\\ntwo"' }), answers("one two")],
]);

export const typographic = category("typographic quotes", [
  [
    "everywhere",
    `{“thought”: “t”, “status”: “success”, “data”: {“n”: 1}, “message”: “m”}`,
    { thought: "t", status: "success", data: { n: 1 }, message: "m" },
  ],
  [
    "only closing",
    `{"thought": "t”, "status": "success”, "data": {"n": 1}, "message": "m”}`,
    { thought: "t", status: "success", data: { n: 1 }, message: "m" },
  ],
  [
    "single ones",
    `{‘thought’: ‘t’, ‘status’: ‘success’, ‘data’: {}, ‘message’: ‘it’s m’}`,
    { thought: "t", status: "success", data: {}, message: "it’s m" },
  ],
  [
    "of German",
    `{„thought“: „t“, „status“: „success“, „data“: {}, „message“: „m“}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  [
    "of French",
    `{«thought»: «t», «status»: «success», «data»: {}, «message»: «m»}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  [
    "inside of a text",
    written({ message: '"He said “no”, and left.",' }).replace(",}", "}"),
    answers("He said “no”, and left."),
  ],
  [
    "inside of a broken text",
    `${written({ message: '"He said “no”, and left."' }).slice(0, -1)},}`,
    answers("He said “no”, and left."),
  ],
  [
    "closed by a plain one",
    written({ message: '"Er sagte „nein" und ging."' }),
    answers('Er sagte „nein" und ging.'),
  ],
  [
    "full-width",
    `{＂thought＂： ＂t＂， ＂status＂： ＂success＂， ＂data＂： {}， ＂message＂： ＂m＂}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  [
    "around a text with plain ones",
    `{“thought”: “He said "no" to it”, “status”: “success”, “data”: {}, “message”: “m”}`,
    { thought: 'He said "no" to it', status: "success", data: {}, message: "m" },
  ],
  [
    "backticks",
    '{"thought": `a "b" c`, "status": "success", "data": {}, "message": `m`}',
    { thought: 'a "b" c', status: "success", data: {}, message: "m" },
  ],
]);

export const punctuation = category("punctuation", [
  [
    "trailing commas",
    `{"thought": "t", "status": "success", "data": {"n": [1, 2,],}, "message": "m",}`,
    { thought: "t", status: "success", data: { n: [1, 2] }, message: "m" },
  ],
  ["a missing comma between lines", pretty.replace('"success",', '"success"'), weather],
  [
    "a missing comma in a line",
    `{"thought": "t" "status": "success", "data": {} "message": "m"}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  [
    "missing commas in a list",
    written({ data: '{"n": [1 2], "s": ["a" "b"]}' }),
    data({ n: [1, 2], s: ["a", "b"] }),
  ],
  [
    "full-width commas and colons",
    `{"thought"："t"，"status"："success"，"data"：{"n"：[1，2]}，"message"："m"}`,
    { thought: "t", status: "success", data: { n: [1, 2] }, message: "m" },
  ],
  [
    "arrows for colons",
    `{"thought" => "t", "status" => "success", "data" => {}, "message" => "m"}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  [
    "equals signs for colons",
    `{thought = "t", status = "success", data = {}, message = "m"}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  [
    "doubled braces",
    `{{"thought": "t", "status": "success", "data": {{"n": 1}}, "message": "m"}}`,
    { thought: "t", status: "success", data: { n: 1 }, message: "m" },
  ],
  ["an ellipsis in a list", written({ data: '{"n": [1, 2, ...]}' }), data({ n: [1, 2] })],
  ["an ellipsis in the middle of a list", written({ data: '{"n": [1, 2, ..., 9]}' }), data({ n: [1, 2, 9] })],
  ["an ellipsis in an object", written({ data: '{"a": 1, ...}' }), data({ a: 1 })],
  ["one character for an ellipsis", written({ data: '{"a": ["x", …]}' }), data({ a: ["x"] })],
  [
    "all of it on lines with trailing commas after prose",
    `So:\n{\n"thought": "t",\n"status": "success",\n"data": {},\n"message": "m",\n}\nOk?`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  [
    "semicolons for commas",
    `{"thought": "t"; "status": "success"; "data": {"n": [1; 2]}; "message": "m";}`,
    { thought: "t", status: "success", data: { n: [1, 2] }, message: "m" },
  ],
  ["a missing bracket", written({ data: '{"list": ["a", "b"}' }), data({ list: ["a", "b"] })],
  [
    "a missing brace in a list",
    written({ data: '{"list": [{"a": 1}, {"b": 2], "n": 3}' }),
    data({ list: [{ a: 1 }, { b: 2 }], n: 3 }),
  ],
  [
    "a name without its first quote",
    `{"thought": "t", status": "success", "data": {}, "message": "m"}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  ["a leading comma", `{, "thought": "t", "status": "success", "data": {}, "message": "m"}`, none],
]);

export const comments = category("comments", [
  ["at the ends of lines", pretty.replace('"success",', '"success", // it worked'), weather],
  ["between lines", pretty.replace('  "data"', '  // what was found\n  "data"'), weather],
  ["in a block", pretty.replace('  "data"', '  /* what was "found" */ "data"'), weather],
  ["of Python", pretty.replace('"success",', '"success",  # it worked'), weather],
  ["after the last member", pretty.replace(/\n}$/, "\n  // that is all\n}"), weather],
  [
    "with braces and quotes",
    pretty.replace('"success",', '"success", // was {"status": "failure"}'),
    weather,
  ],
  ["before the answer", `// My answer\n${pretty}`, weather],
  ["of HTML", pretty.replace('  "data"', '  <!-- what was found --> "data"'), weather],
  ["in place of a comma", pretty.replace('"success",', '"success" /* and */'), weather],
  [
    "an address that looks like one",
    `So: ${written({ message: '"See http://a.example/#b and /* that */."' })}`,
    answers("See http://a.example/#b and /* that */."),
  ],
]);

export const languages = category("other languages", [
  [
    "a dict of Python",
    `{'thought': 't', 'status': 'success', 'data': {'ok': True, 'no': False, 'x': None}, 'message': 'm'}`,
    { thought: "t", status: "success", data: { ok: true, no: false, x: null }, message: "m" },
  ],
  [
    "with both kinds of quotes",
    `{'thought': "it's t", 'status': 'success', 'data': {}, 'message': 'say "m"'}`,
    { thought: "it's t", status: "success", data: {}, message: 'say "m"' },
  ],
  [
    "an escaped apostrophe",
    `{'thought': 't', 'status': 'success', 'data': {}, 'message': 'it\\'s m'}`,
    { thought: "t", status: "success", data: {}, message: "it's m" },
  ],
  [
    "an apostrophe that is not escaped",
    `{'thought': 't', 'status': 'success', 'data': {}, 'message': 'it's m'}`,
    { thought: "t", status: "success", data: {}, message: "it's m" },
  ],
  ["a tuple", written({ data: '{"at": (1, 2)}' }), data({ at: [1, 2] })],
  ["triple quotes", written({ message: '"""one\n"two"\nthree"""' }), answers('one\n"two"\nthree')],
  [
    "an object of JavaScript",
    `{thought: "t", status: "success", data: {n: 1, list: [undefined]}, message: "m"}`,
    { thought: "t", status: "success", data: { n: 1, list: [null] }, message: "m" },
  ],
  [
    "an assignment",
    `const answer = {thought: 't', status: 'success', data: {}, message: 'm'};`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  ["joined texts", written({ message: '"one " +\n  "two"' }), answers("one two")],
  ["literals in capitals", written({ data: '{"a": TRUE, "b": NULL}' }), data({ a: true, b: null })],
  [
    "a text without quotes",
    written({ data: '{"kind": urgent, "day": 2024-01-31}' }),
    data({ kind: "urgent", day: "2024-01-31" }),
  ],
  [
    "a time and an address without quotes",
    written({ data: '{"at": 2024-01-31T10:00:00Z, "from": http://a.example/b}' }),
    data({ at: "2024-01-31T10:00:00Z", from: "http://a.example/b" }),
  ],
  [
    "a status without quotes",
    `{thought: "t", status: success, data: {}, message: "m"}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  ["a call in place of a value", written({ data: '{"day": datetime(2024, 1, 31)}' }), none],
  ["YAML", "thought: t\nstatus: success\ndata:\n  n: 1\nmessage: m", none],
  ["XML", "<response><status>success</status><message>m</message></response>", none],
]);

export const numbers = category("numbers", [
  ["NaN", written({ data: '{"score": NaN}' }), data({ score: null })],
  ["infinities", written({ data: '{"a": Infinity, "b": -Infinity}' }), data({ a: null, b: null })],
  ["one too large", written({ data: '{"a": 1e999}' }), data({ a: null })],
  ["a plus", written({ data: '{"a": +5}' }), data({ a: 5 })],
  ["bare points", written({ data: '{"a": .5, "b": 5.}' }), data({ a: 0.5, b: 5 })],
  ["underscores", written({ data: '{"a": 1_000_000}' }), data({ a: 1_000_000 })],
  ["hexadecimal", written({ data: '{"a": 0x1F}' }), data({ a: 31 })],
  [
    "commas between thousands",
    written({ data: '{"a": 1,250, "b": 12,345.5}' }),
    data({ a: 1250, b: 12345.5 }),
  ],
  ["leading zeros", written({ data: '{"code": 00742}' }), data({ code: "00742" })],
  ["a unit", written({ data: '{"share": 85%, "price": $5}' }), data({ share: "85%", price: "$5" })],
  ["in a list, where commas separate", written({ data: '{"a": [1,250],}' }), data({ a: [1, 250] })],
]);

export const names = category("names", [
  ["a duplicate", written({ data: '{"a": 1, "a": 2,}' }), data({ a: 2 })],
  [
    "a duplicate of the same status",
    `{"status": "success", "thought": "t", "status": "success", "data": {}, "message": "m",}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  [
    "two statuses",
    `{"status": "success", "thought": "t", "status": "failure", "data": {}, "message": "m"}`,
    none,
  ],
  [
    "two statuses under two names",
    `{"status": "success", "Status": "failure", "thought": "t", "data": {}, "message": "m"}`,
    none,
  ],
  [
    "in capitals",
    `{"Thought": "t", "Status": "success", "Data": {}, "Message": "m"}`,
    { thought: "t", status: "success", data: {}, message: "m" },
  ],
  ["in camel case", written({ nextStepHint: '"go on"' }), answer({ next_step_hint: "go on" })],
  ["with hyphens", written({ "next-step-hint": '"go on"' }), answer({ next_step_hint: "go on" })],
  ["with blanks", written({}).replace('"status"', '" status "'), weather],
  [
    "without quotes",
    `{thought: "t", status: "success", data: {a_b: 1, "c d": 2}, message: "m"}`,
    { thought: "t", status: "success", data: { a_b: 1, "c d": 2 }, message: "m" },
  ],
  [
    "that objects inherit",
    `So: ${written({ data: '{"__proto__": {"a": 1}, "constructor": 2}' })}`,
    data(JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}')),
  ],
  ["that nobody knows", written({ confidence: "0.9", data: '{"n": 1}' }), data({ n: 1 })],
]);

export const escapes = category("escapes", [
  ["of a path", written({ message: raw`"C:\Projects\app"` }), answers(raw`C:\Projects\app`)],
  ["of a pattern", written({ data: raw`{"pattern": "^\d+\.\w*$"}` }), data({ pattern: raw`^\d+\.\w*$` })],
  ["of a formula", written({ message: raw`"\(a + \sqrt{b}\)"` }), answers(raw`\(a + \sqrt{b}\)`)],
  ["of an apostrophe", written({ message: raw`"it\'s fine"` }), answers("it's fine")],
  ["in hexadecimal", written({ message: raw`"\x41\x42"` }), answers("AB")],
  ["half of a code", written({ message: raw`"\u12 and \uZZZZ"` }), answers(raw`\u12 and \uZZZZ`)],
  ["of a pair", `So: ${written({ message: raw`"\ud83d\ude80"` })}`, answers("\u{1f680}")],
  ["of underscores", written({ message: raw`"snake\_case"` }), answers(raw`snake\_case`)],
]);

const thin = "\u200b";

export const encodings = category("encodings", [
  ["a byte order mark", `\ufeff${pretty}`, weather],
  ["a byte order mark in a fence", `${fence}json\n\ufeff${pretty}\n${fence}`, weather],
  ["zero-width characters", pretty.replaceAll("\n", `\n${thin}`), weather],
  ["zero-width characters in a name", pretty.replace('"status"', `"${thin}status"`), weather],
  ["zero-width characters in the status", pretty.replace('"success"', `"success${thin}"`), weather],
  ["no-break spaces", pretty.replaceAll("  ", "\u00a0\u00a0"), weather],
  ["wide spaces", pretty.replaceAll("  ", "\u3000"), weather],
  ["marks of direction", `\u202a${json()}\u202c`, weather],
  ["zeros", pretty.replaceAll("\n", "\n\0"), weather],
  ["replacement characters", pretty.replaceAll("\n", "\n\ufffd"), weather],
  ["half of a pair", written({ message: '"a\ud83d b"' }), answers("a\ufffd b")],
  ["half of an escaped pair", written({ message: raw`"a\ud83d b"` }), answers("a\ufffd b")],
  ["entities of HTML", json().replaceAll('"', "&quot;"), weather],
  ["entities with numbers", json().replaceAll('"', "&#34;"), weather],
  ["entities in prose", `<p>Answer: ${json().replaceAll('"', "&quot;")}</p>`, weather],
  ["half of a pair, and no answer", "no \ud83d answer", none],
]);

function json(): string {
  return JSON.stringify(weather);
}
