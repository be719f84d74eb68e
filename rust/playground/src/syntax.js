// The words of a line and what they are, for colours alone: a line is looked at without those before it.

const WORDS = /(?<comment>;.*)|(?<string>&?"(?:[^"\\]|\\.)*"?)|(?<number>-?\b(?:\d[\w.+-]*|inf|nan|true|false|null)\b)|(?<tag>^\[\w+|(?<=[^=,(\s])\]$)|(?<key>^[\w/:.-]+(?=\s*=)|\b\w+(?==))|(?<name>\b[A-Z]\w*(?=\())/gm;

export function spans(line) {
    const found = [];
    for (const match of line.matchAll(WORDS)) {
        const [kind] = Object.entries(match.groups).find(([, text]) => text !== undefined);
        found.push({ kind, from: match.index, to: match.index + match[0].length });
    }
    return found;
}
