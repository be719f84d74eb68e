// The compiled library, from where this file comes from. Not by `compileStreaming`, which refuses what a server does not call
// `application/wasm`.

const address = new URL("../wasm/wasm_bg.wasm", import.meta.url);
const response = await fetch(address);
if (!response.ok) {
    throw new Error(`${address} cannot be loaded: ${response.status} ${response.statusText}`);
}

export const module = await WebAssembly.compile(await response.arrayBuffer());
