// What stands in a file, as a tree.

import { element } from "./dom.js";
import { TreeView } from "./treeview.js";

const GROUPS = [
    ["ext_resource", "External resources", ({ path, id, type }) => [["", path ?? "?"], ["type", ` ${type ?? ""}`], ["more", ` ${id ?? ""}`]]],
    ["sub_resource", "Internal resources", ({ id, type }) => [["", type ?? "?"], ["more", ` ${id ?? ""}`]]],
    ["connection", "Connections", ({ signal, from, to, method }) => [["", `${from} ${signal}`], ["more", ` → ${to} ${method}()`]]],
    ["editable", "Editable instances", ({ path }) => [["", path ?? "?"]]],
];

// `onGo(section)` is called for what is chosen.
export function showScene(panel, file, onGo) {
    const items = [...nodeItems(file.nodes), ...groupItems(file.sections)];
    if (items.length === 0) {
        items.push(...settingItems(file.sections));
    }
    if (items.length === 0) {
        panel.replaceChildren(element("div", { class: "empty" }, "There is nothing in this text yet."));
        return;
    }
    const tree = new TreeView("What stands in the file", items, { onChoose: (value) => value === null || onGo(file.sections[value]) });
    panel.replaceChildren(tree.root);
}

// In the order of the tree, whose nodes may stand in another one in the text.
function nodeItems(nodes) {
    const children = nodes.map(() => []);
    const tops = [];
    for (const [index, node] of nodes.entries()) {
        (node.parent === null ? tops : children[node.parent]).push(index);
    }
    const items = [];
    const open = tops.map((index) => [index, 0]).reverse();
    while (open.length > 0) {
        const [index, level] = open.pop();
        items.push(nodeItem(nodes[index], level, children[index].length > 0));
        for (const child of children[index].reverse()) {
            open.push([child, level + 1]);
        }
    }
    return items;
}

function nodeItem(node, level, hasChildren) {
    const parts = [["", `${node.is_unique ? "%" : ""}${node.name || "?"}`]];
    if (node.type) {
        parts.push(["type", ` ${node.type}`]);
    }
    for (const more of [node.instance && `instance of ${node.instance}`, node.script, node.groups && `[${node.groups.join(", ")}]`]) {
        if (more) {
            parts.push(["more", ` ${more}`]);
        }
    }
    if (node.parent === null && node.path !== ".") {
        parts.push(["more", ` below ${node.path.slice(0, -node.name.length - 1)}`]);
    }
    return { level, parts, hasChildren, isOpen: true, value: node.section };
}

function groupItems(sections) {
    const items = [];
    for (const [tag, title, parts] of GROUPS) {
        const found = [...sections.entries()].filter(([, section]) => section.tag === tag);
        if (found.length > 0) {
            items.push({ level: 0, parts: [["", `${title} (${found.length})`]], hasChildren: true, isGroup: true, isOpen: found.length < 30, value: null });
        }
        for (const [index, section] of found) {
            const fields = Object.fromEntries(section.fields.map(({ name, value }) => [name, value.replace(/^"|"$/g, "")]));
            items.push({ level: 1, parts: parts(fields), hasChildren: false, value: index });
        }
    }
    return items;
}

// Of a file without nodes, its sections.
function settingItems(sections) {
    return [...sections.entries()].map(([index, { tag, properties }]) => ({
        level: 0, parts: [["", `[${tag}]`], ["more", ` ${properties.length} entries`]], hasChildren: false, value: index,
    }));
}
