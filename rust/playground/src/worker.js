// The library in a thread of its own, so that the page answers whatever it works on.

import * as gdscene from "gdscene";

const CALLS = {
    check: (text, options) => gdscene.check(text, options),
    fix: (text, options) => gdscene.fix(text, options),
    format: (text, options) => gdscene.format(text, options),
    parse: (text, options) => {
        const { root, nodes, ...file } = gdscene.parse(text, options);
        // Without the children, which make a chain as long as the tree is deep.
        return { ...file, nodes: nodes.map(({ children, ...node }) => node) };
    },
    inspect: (bytes, options) => {
        const { values, rows, ...rest } = gdscene.inspect(bytes, options);
        return { ...rest, rows: rows.map(({ children, ...row }) => row) };
    },
    rules: () => gdscene.rules(),
    version: () => gdscene.version,
    // How a rule's example has to be checked so that the rule is seen.
    settingsFor: (code, text, path) => {
        const usual = { path };
        const candidates = [usual, { ...usual, allRules: true }];
        for (const target of ["4.6", "4.2"]) {
            candidates.push({ ...usual, target, allRules: true });
        }
        const finds = (options) => gdscene.check(text, options).some((found) => found.code === code);
        return [...candidates, { path: "", allRules: true }].find(finds) ?? usual;
    },
};

self.onmessage = ({ data: { id, name, args } }) => {
    const start = performance.now();
    try {
        const answer = CALLS[name](...args);
        self.postMessage({ id, answer, time: performance.now() - start });
    } catch (error) {
        const { finding = null, message } = error;
        self.postMessage({ id, error: { name: error.name, message, finding } });
    }
};
self.postMessage({ id: 0 });
