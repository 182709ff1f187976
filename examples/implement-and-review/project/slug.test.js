import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "./slug.js";

test("words are joined by dashes, in lower case", () => {
  assert.equal(slugify("Hello World"), "hello-world");
});

test("what is no letter and no digit goes", () => {
  assert.equal(slugify("  tea & jam "), "tea-jam");
});
