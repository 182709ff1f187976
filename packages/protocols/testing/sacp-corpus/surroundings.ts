import { answer, category, fence, json, none, pretty, weather, written } from "./case.ts";

const code = `${fence}python\nfor i in range(3):\n    print({"i": i})\n${fence}`;
const other = JSON.stringify(answer({ status: "failure", message: "It cannot be done." }));
const example = JSON.stringify(answer({ data: { city: "Paris", temp: 1 }, message: "An example." }));

export const fences = category("fences", [
  ["in a fence", `${fence}json\n${pretty}\n${fence}`, weather],
  ["in a fence without a language", `${fence}\n${json}\n${fence}`, weather],
  ["in a fence that is not closed", `${fence}json\n${pretty}`, weather],
  [
    "in a fence with text on both sides",
    `Here you go:\n\n${fence}json\n${pretty}\n${fence}\n\nAnything else?`,
    weather,
  ],
  ["on the line of the fence", `${fence}json ${json} ${fence}`, weather],
  ["in a fence of tildes", `~~~json\n${json}\n~~~`, weather],
  ["in a fence of four backticks", `${fence}\`json\n${json}\n${fence}\``, weather],
  ["with the language in capitals", `${fence}JSON\n${json}\n${fence}`, weather],
  ["after a fence with code", `I ran this:\n${code}\n\n${fence}json\n${json}\n${fence}`, weather],
  ["before a fence with code", `${json}\n\nThis is how it was made:\n${code}`, weather],
  ["with single backticks around", `\`${json}\``, weather],
  ["in an indented fence of a list", `1. The answer:\n\n   ${fence}json\n   ${json}\n   ${fence}`, weather],
  ["in a fence within a fence", `${fence}markdown\n${fence}json\n${json}\n${fence}\n${fence}`, weather],
  [
    "with a fence in its message",
    JSON.stringify(answer({ message: `Run this:\n${fence}sh\nnpm test\n${fence}` })),
    answer({ message: `Run this:\n${fence}sh\nnpm test\n${fence}` }),
  ],
  [
    "in a fence, with a fence in its message",
    `${fence}json\n${JSON.stringify(answer({ message: `${fence}json\n{"a": 1}\n${fence}` }), null, 2)}\n${fence}`,
    answer({ message: `${fence}json\n{"a": 1}\n${fence}` }),
  ],
  [
    "in a fence, with raw lines of a fence in its message",
    `${fence}json\n${written({ message: `"Run this:\n${fence}js\nf({ a: 1 });\n${fence}\nThat is all."` })}\n${fence}`,
    answer({ message: `Run this:\n${fence}js\nf({ a: 1 });\n${fence}\nThat is all.` }),
  ],
  ["in a fence that holds nothing else", `${fence}json\n\n${fence}`, none],
]);

export const prose = category("prose", [
  ["after a sentence", `Sure! Here is the result: ${json}`, weather],
  ["before a sentence", `${json}\n\nLet me know if you need more.`, weather],
  ["directly before a sentence", `${json} Hope this helps!`, weather],
  ["among braces of mathematics", `The set {1, 2} has {x | x > 0} as its part.\n${json}`, weather],
  [
    "after code with braces",
    `First: function f(a) { return { b: a }; } and .c { color: red; }\n\n${json}`,
    weather,
  ],
  ["between braces of a template", `Use {{node.data.city}} and \${temp}. ${json} Then {done}.`, weather],
  ["after a brace that is not closed", `I open { here, and { there.\n\n${json}`, weather],
  ["after an apostrophe", `It's what you've asked for, isn't it?\n${json}\nThat's it.`, weather],
  ["after a record of a log", `The log says {"level": 30, "msg": "started"}.\n${json}`, weather],
  ["after a broken record of a log", `It printed {"level": 30, "msg": "sta and stopped.\n\n${json}`, weather],
  ["before a broken record of a log", `${json}\nP.S. it printed {"level": 30, "msg": "sta`, weather],
  ["after a reply of a service", `The service said {"status": 200, "message": "OK"}.\n\n${json}`, weather],
  [
    "after a quoted reply that has a status",
    `It said {"status": "failure", "message": "no"} at first.\n${json}`,
    weather,
  ],
  ["with a closing brace too many", `${json}}`, weather],
  ["with a label", `Answer: ${json}`, weather],
  ["as a quotation", `> ${json}`, weather],
  ["in tags", `<answer>\n${pretty}\n</answer>`, weather],
  ["only prose", "The weather in London is fine, about 15 degrees.", none],
  [
    "only a quoted reply of a service",
    `I called it, and it said {"status": "success", "message": "created"}, but nothing is there.`,
    none,
  ],
  ["only braces", "{ } {} {{}} { { }", none],
  ["nothing", "", none],
  ["a refusal", "I'm sorry, but I can't help with that.", none],
  ["fields without an object", "status: success\nmessage: It is 15 degrees in London.", none],
]);

export const several = category("several objects", [
  ["an example, then the answer", `For example:\n${example}\n\nMy answer:\n${json}`, weather],
  [
    "an example in a fence, then the answer in a fence",
    `${fence}json\n${example}\n${fence}\nSo:\n${fence}json\n${json}\n${fence}`,
    weather,
  ],
  ["a draft, then the answer", `${other}\n\nWait, it does work.\n\n${json}`, weather],
  ["the answer twice", `${json}\n${json}`, weather],
  ["the answer without a line break after a draft", `${other}${json}`, weather],
  [
    "a call of a tool, then the answer",
    `{"tool": "get_weather", "arguments": {"city": "London"}}\n${json}`,
    weather,
  ],
  ["in a list", `[${json}]`, weather],
  ["last in a list", `[${other}, ${json}]`, weather],
  [
    "with another answer inside of its data",
    JSON.stringify(answer({ data: { previous: JSON.parse(other) } })),
    answer({ data: { previous: JSON.parse(other) } }),
  ],
  ["with a comment on another form", `${json}\n\nI used the form {"status": "..."} for this.`, weather],
  ["a complete one, then the beginning of another", `${json}\n\n{"thought": "Or perha`, weather],
  [
    "the answer in the fence, another before it",
    `I first had ${other}.\n${fence}json\n${json}\n${fence}`,
    weather,
  ],
  [
    "the example of the instructions, then the answer",
    `{"thought": "I need to calculate the sum. 5+5 is 10.", "status": "success", "data": {"result": 10}, "message": "The result is 10."}\n${json}`,
    weather,
  ],
  [
    "the answer, then the example of the instructions",
    `${json}\nAs in the example: {"thought": "I need to calculate the sum. 5+5 is 10.", "status": "success", "data": {"result": 10}, "message": "The result is 10."}`,
    weather,
  ],
  [
    "a good one, then one with a status that nobody knows",
    `${json}\n\nCorrection:\n${written({ status: '"done"' })}`,
    none,
  ],
  [
    "fields spread over several objects",
    `{"thought": "a"}\n{"status": "success"}\n{"data": {}}\n{"message": "b"}`,
    none,
  ],
  [
    "an unreadable one with another in its data",
    '{"thought": "t", "status": "success", "data": {"last": {"status": "failure", "message": "no"}, "x": f(1, 2)}, "message": "m"}',
    none,
  ],
]);

const think = 'I could say {"status": "failure"}, or rather {x}.';

export const reasoning = category("reasoning blocks", [
  ["after a block", `<think>\nI look it up. It's {easy}.\n</think>\n\n${json}`, weather],
  ["after a block with a draft", `<think>${think}\n${other}</think>${json}`, weather],
  ["after a block with another name", `<thinking>${other}</thinking>\n${json}`, weather],
  ["after a block whose beginning is missing", `Let me see. ${other}\n</think>\n\n${json}`, weather],
  ["after an empty block", `<think>\n\n</think>\n\n${pretty}`, weather],
  ["after a block in square brackets", `[THINK]${other}[/THINK]${json}`, weather],
  ["after a block in triangles", `◁think▷${other}◁/think▷${json}`, weather],
  [
    "on a channel of its own",
    `<|channel|>analysis<|message|>${other}<|end|><|start|>assistant<|channel|>final<|message|>${json}`,
    weather,
  ],
  [
    "in a fence after a block",
    `<reasoning>\n${think}\n</reasoning>\n${fence}json\n${pretty}\n${fence}`,
    weather,
  ],
  ["before a block", `${json}\n<reflection>Was {"status": "success"} right?</reflection>`, weather],
  ["after two blocks", `<think>${other}</think>\n<think>${think}</think>\n${json}`, weather],
  [
    "after a block with an open quote",
    `<think>The user said "do it and {"status": "fail</think>\n${json}`,
    weather,
  ],
  ["as the last word of a block that is not closed", `<think>I look it up.\n\n${json}`, weather],
  [
    "with the name of a block in its message",
    JSON.stringify(answer({ message: "Write <think> and </think> around it." })),
    answer({ message: "Write <think> and </think> around it." }),
  ],
  [
    "with the name of a block in its message, after prose",
    `So: ${JSON.stringify(answer({ message: "No </think> is needed." }))}`,
    answer({ message: "No </think> is needed." }),
  ],
  ["only in a block", `<think>${other}</think>\nI cannot decide.`, none],
  ["in a block that was cut off", `<think>Perhaps ${json} would do, but then`, none],
]);

export const wrappers = category("wrappers", [
  ["in a member", `{"response": ${json}}`, weather],
  ["in a member, in a fence", `${fence}json\n{"result": ${json}}\n${fence}`, weather],
  ["in two members", `{"output": {"answer": ${json}}}`, weather],
  ["in the arguments of a call", `{"name": "respond", "arguments": ${json}}`, weather],
  ["as text in the arguments of a call", JSON.stringify({ name: "respond", arguments: json }), weather],
  ["as text in a message", JSON.stringify({ role: "assistant", content: json }), weather],
  ["in the properties of a schema", `{"type": "object", "properties": ${json}}`, weather],
  [
    "in a member with trailing commas",
    `{"final_answer": {"thought": "t", "status": "failure", "data": {}, "message": "m",},}`,
    { thought: "t", status: "failure", data: {}, message: "m" },
  ],
  ["as an example in a member", `{"example": ${json}}`, none],
  ["as what was before in a member", `{"previous_response": ${json}, "note": "see above"}`, none],
]);
