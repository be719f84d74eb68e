// Texts in the fragment of the address, which no server gets to see.

// So long an address may be, for browsers and for those who pass it on.
const MAX_LENGTH = 200_000;
// So long a text may be that comes out of an address.
const MAX_TEXT = 32 * 1024 * 1024;

// The fragment that carries `data`; nothing if it would be too long.
export async function fragmentOf(data) {
    const stream = new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const packed = new Uint8Array(await new Response(stream).arrayBuffer());
    if (packed.length > MAX_LENGTH) {
        return null;
    }
    const parts = [];
    for (let place = 0; place < packed.length; place += 0x8000) {
        parts.push(String.fromCharCode(...packed.subarray(place, place + 0x8000)));
    }
    return `text=${btoa(parts.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

// What a fragment carries.
export async function dataOf(fragment) {
    const packed = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const chunks = [];
    let length = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) {
            break;
        }
        length += value.length;
        if (length > MAX_TEXT) {
            await reader.cancel();
            throw new Error("the text in the address is too long");
        }
        chunks.push(value);
    }
    const data = JSON.parse(await new Blob(chunks).text());
    if (typeof data?.text !== "string") {
        throw new Error("there is no text in the address");
    }
    return data;
}
