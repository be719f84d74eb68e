// Elements without HTML texts: what files say stays text.

// element("li", {class: "a", onclick}, "text", child, …)
export function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith("on")) {
            made.addEventListener(key.slice(2), value);
        } else if (value === true) {
            made.setAttribute(key, "");
        } else if (value !== undefined && value !== null && value !== false) {
            made.setAttribute(key, value);
        }
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
}

export function byId(id) {
    return document.getElementById(id);
}

// A text with its `code` in backticks.
export function prose(text) {
    return text.split("`").map((part, number) => (number % 2 === 1 ? element("code", {}, part) : part));
}
