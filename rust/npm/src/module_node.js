// The compiled library, from the disk.

import { readFileSync } from "node:fs";

export const module = new WebAssembly.Module(readFileSync(new URL("../wasm/wasm_bg.wasm", import.meta.url)));
