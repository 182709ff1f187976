#!/usr/bin/env node
// The hub as a program. It is TypeScript, and Node 24 runs that as it is.
import { main } from "../src/main.ts";

await main();
