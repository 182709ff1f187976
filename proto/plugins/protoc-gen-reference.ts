/** Writes the reference page of the contract, for people. */
import { runPlugin } from "./plugin.ts";
import { referencePage } from "./reference/page.ts";

runPlugin("protoc-gen-reference", (files) => [{ name: "contract.md", content: referencePage(files) }]);
