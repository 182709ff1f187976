/** Writes the code that encodes and decodes the messages of the contract as most of them are (CON-09). */
import { plainFiles } from "./plain/plain-files.ts";
import { runPlugin } from "./plugin.ts";

runPlugin("protoc-gen-plain", plainFiles);
