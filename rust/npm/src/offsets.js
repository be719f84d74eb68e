// From offsets in bytes to offsets in a string of JavaScript.

// Changes `start` and `end` of everything in `data` from bytes of the UTF-8 of `text` to places in `text` itself.
export function inString(data, text, byteLength) {
    if (byteLength === text.length) {
        return data; // ASCII
    }
    const objects = [];
    collect(data, objects);
    const wanted = new Set(objects.flatMap((object) => [object.start, object.end]));
    const places = placesOf(text, [...wanted].sort((one, other) => one - other));
    for (const object of objects) {
        object.start = places.get(object.start);
        object.end = places.get(object.end);
    }
    return data;
}

function collect(data, objects) {
    if (Array.isArray(data)) {
        for (const item of data) {
            collect(item, objects);
        }
    } else if (data !== null && typeof data === "object") {
        if (typeof data.start === "number" && typeof data.end === "number") {
            objects.push(data);
        }
        for (const value of Object.values(data)) {
            collect(value, objects);
        }
    }
}

// The place of each of `offsets`, which are sorted. One inside of a character counts as its start.
function placesOf(text, offsets) {
    const places = new Map();
    let place = 0;
    let byte = 0;
    for (const offset of offsets) {
        while (place < text.length) {
            const point = text.codePointAt(place);
            const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (byte + size > offset) {
                break;
            }
            byte += size;
            place += point < 0x10000 ? 1 : 2;
        }
        places.set(offset, place);
    }
    return places;
}
