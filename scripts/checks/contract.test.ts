import { beforeEach, describe, expect, test, vi } from "vitest";
import { contract, orderProto } from "../testing/contract.ts";
import { commit, git, makeFolder, makeRepository, makeTree, write } from "../testing/repository.ts";
import {
  buildImage,
  compareContractWithItsVersion,
  compareContractWithMain,
  compareContractWithReleased,
  lintContract,
} from "./contract.ts";

const order = "proto/shop/v1/order.proto";
const renumbered = { [order]: orderProto("string title = 3;") };
const extended = { [order]: orderProto("string title = 2;\n  string note = 3;") };

// A hook of git's runs us with its own repository in the environment.
beforeEach(() => {
  vi.stubEnv("GIT_DIR", undefined);
  vi.stubEnv("GIT_INDEX_FILE", undefined);
  return () => vi.unstubAllEnvs();
});

describe("[CON-08] the contract against main", () => {
  test("a field renumbered on a branch is reported with its line", async () => {
    const tree = makeRepository(contract);
    git(tree, "switch", "--quiet", "--create", "topic");
    write(tree, renumbered);
    commit(tree);
    const outcome = await compareContractWithMain(tree);
    expect(outcome).toMatchObject({ status: "failed" });
    expect(outcome).toHaveProperty("output", expect.stringMatching(/order\.proto:\d+:\d+:.*"title"/));
    expect(outcome).toHaveProperty("output", expect.stringContaining("the contract of main"));
  });

  test("the same on a branch that is not committed yet", async () => {
    const tree = makeRepository(contract);
    git(tree, "switch", "--quiet", "--create", "topic");
    write(tree, renumbered);
    expect(await compareContractWithMain(tree)).toMatchObject({ status: "failed" });
  });

  test("the same in a clone that knows main only as origin's", async () => {
    const origin = makeRepository(contract);
    const tree = makeFolder();
    git(tree, "clone", "--quiet", origin, ".");
    git(tree, "switch", "--quiet", "--create", "topic");
    git(tree, "branch", "--quiet", "--delete", "main");
    write(tree, renumbered);
    expect(await compareContractWithMain(tree)).toMatchObject({ status: "failed" });
  });

  test("a field added on a branch is fine", async () => {
    const tree = makeRepository(contract);
    git(tree, "switch", "--quiet", "--create", "topic");
    write(tree, extended);
    expect(await compareContractWithMain(tree)).toEqual({ status: "passed", note: "compared with main" });
  });

  test("on main itself the working tree is compared with the last commit", async () => {
    const tree = makeRepository(contract);
    const unbroken = { status: "passed", note: "compared with main's last commit" };
    expect(await compareContractWithMain(tree)).toEqual(unbroken);
    write(tree, extended);
    expect(await compareContractWithMain(tree)).toEqual(unbroken);
    write(tree, renumbered);
    expect(await compareContractWithMain(tree)).toMatchObject({ status: "failed" });
  });

  test("a main that cannot be compared with is a failure", async () => {
    const tree = makeRepository({ "README.md": "No contract here." });
    git(tree, "switch", "--quiet", "--create", "topic");
    write(tree, contract);
    expect(await compareContractWithMain(tree)).toMatchObject({ status: "failed" });
  });

  test("without main, or without git, the step is skipped and says why", async () => {
    const withoutMain = makeRepository(contract);
    git(withoutMain, "branch", "--quiet", "--move", "topic");
    expect(await compareContractWithMain(withoutMain)).toEqual({
      status: "skipped",
      reason: "there is no branch main, here or at origin",
    });
    expect(await compareContractWithMain(makeTree(contract))).toEqual({
      status: "skipped",
      reason: expect.stringContaining("not a git repository"),
    });
  });
});

describe("[CON-08] the contract against what was released", () => {
  test("a renumbered field fails, an added one does not, and neither does a lower version's image count", async () => {
    const tree = makeTree(contract);
    await release(tree, "1.10.0");
    write(tree, extended);
    expect(await compareContractWithReleased(tree)).toMatchObject({ status: "passed" });
    write(tree, renumbered);
    expect(await compareContractWithReleased(tree)).toMatchObject({ status: "failed" });
    await release(tree, "1.9.0");
    expect(await compareContractWithReleased(tree)).toMatchObject({ status: "failed" });
  });

  test("a tree without any image fails", async () => {
    expect(await compareContractWithReleased(makeTree(contract))).toMatchObject({ status: "failed" });
  });
});

describe("[CON-08] the contract against its version", () => {
  test("what was released as 1.0.0 may still be called 1.0.0, with other comments", async () => {
    const tree = makeTree(contract);
    await release(tree, "1.0.0");
    write(tree, { [order]: orderProto("// What it is about.\n  string title = 2;") });
    expect(await compareContractWithItsVersion(tree)).toEqual({
      status: "passed",
      note: "the same as proto/released/1.0.0.binpb",
    });
  });

  test.each([
    ["a field", { [order]: orderProto("string title = 2;\n  string note = 3;") }],
    ["an option", { [order]: orderProto("string title = 2 [deprecated = true];") }],
    ["a file", { "proto/shop/v1/cart.proto": 'syntax = "proto3";\npackage shop.v1;\nmessage Cart {}\n' }],
  ])("%s more is another contract, and wants another version", async (_, change) => {
    const tree = makeTree(contract);
    await release(tree, "1.0.0");
    write(tree, change);
    expect(await compareContractWithItsVersion(tree)).toEqual({
      status: "failed",
      output: [
        "the contract has changed since 1.0.0 was released",
        `  differs  ${Object.keys(change)[0]}`,
        "fix: raise the version in packages/contract/package.json and packages/contract/src/schema-version.ts,",
        "     then npm run release-contract",
      ].join("\n"),
    });
    write(tree, { "packages/contract/package.json": '{ "version": "1.1.0" }' });
    expect(await compareContractWithItsVersion(tree)).toEqual({
      status: "passed",
      note: "1.1.0 is not released yet",
    });
  });

  test("an option of our own that says something else is another contract", async () => {
    const labelled = (label: string) =>
      [
        'syntax = "proto3";\npackage shop.v1;\nimport "google/protobuf/descriptor.proto";',
        "extend google.protobuf.FieldOptions { string label = 50000; }",
        `message Order { string title = 2 [(label) = "${label}"]; }`,
      ].join("\n");
    const tree = makeTree({ ...contract, [order]: labelled("a") });
    await release(tree, "1.0.0");
    expect(await compareContractWithItsVersion(tree)).toMatchObject({ status: "passed" });
    write(tree, { [order]: labelled("b") });
    expect(await compareContractWithItsVersion(tree)).toMatchObject({ status: "failed" });
  });

  test("a contract that does not build fails", async () => {
    const tree = makeTree(contract);
    await release(tree, "1.0.0");
    write(tree, { [order]: "message Order {" });
    expect(await compareContractWithItsVersion(tree)).toMatchObject({ status: "failed" });
  });
});

test("a contract against the style fails", async () => {
  const tree = makeTree(contract);
  expect(await lintContract(tree)).toEqual({ status: "passed" });
  write(tree, { [order]: orderProto("string Title = 2;") });
  expect(await lintContract(tree)).toMatchObject({ status: "failed" });
});

async function release(tree: string, version: string): Promise<void> {
  const image = `proto/released/${version}.binpb`;
  write(tree, { [image]: "" });
  expect(await buildImage(tree, image)).toEqual({ code: 0, output: "" });
}
