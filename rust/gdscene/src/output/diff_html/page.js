// The tree of a diff for mouse and keyboard: the tree pattern of WAI-ARIA, a filter, and keys that lead from change to change.
// The page can be read without this.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const one = (id) => document.getElementById(id);
  const tools = one("tools"), search = one("search"), help = one("help"), found = one("found");
  const boxes = all("input[name=state]", tools);

  // Rows in the order of the page. A row may be a fold, which holds rows without changes.
  const rows = [];
  const byElement = new Map();
  const trees = all("ul.tree").map((element) => prepare(element));
  let active = null;
  let isFiltered = false;
  // Folds that are open because a filter found something in them.
  const unfolded = [];

  function prepare(element) {
    const tree = { element, file: element.closest(".file"), head: element.previousElementSibling, rows: [] };
    const path = [];
    for (const li of all("li", element)) {
      const level = Number(li.dataset.l);
      while (path.length && path[path.length - 1].level >= level) path.pop();
      const fold = li.classList.contains("rest") ? li.firstElementChild : null;
      const row = {
        li, level, fold, tree, parent: path[path.length - 1] ?? null, children: 0, closed: false, text: null,
        within: li.parentElement === element ? null : byElement.get(li.parentElement.closest("li")),
        details: fold ?? li.querySelector(":scope > .entries"), isChange: !fold && li.dataset.s !== "same",
        number: rows.length,
      };
      if (!fold) path.push(row);
      if (row.parent && !fold) row.parent.children += 1;
      byElement.set(li, row);
      rows.push(row);
      tree.rows.push(row);
    }
    tell(tree);
    return tree;
  }

  // What a program that reads the page aloud needs to know.
  function tell(tree) {
    tree.element.setAttribute("role", "tree");
    tree.element.setAttribute("aria-label", tree.head.textContent + ", " + tree.file.querySelector("h2").textContent);
    all("ul", tree.element).forEach((list) => list.setAttribute("role", "group"));
    const positions = new Map();
    for (const row of tree.rows) {
      const { li, fold } = row;
      li.setAttribute("role", "treeitem");
      li.setAttribute("tabindex", "-1");
      li.setAttribute("aria-level", row.level);
      const line = fold ? fold.firstElementChild : li.firstElementChild;
      li.setAttribute("aria-label", line.textContent.replace(/\s+/g, " ").trim());
      if (fold) {
        fold.addEventListener("toggle", () => li.setAttribute("aria-expanded", fold.open));
        li.setAttribute("aria-expanded", fold.open);
      } else {
        const position = (positions.get(row.parent) ?? 0) + 1;
        positions.set(row.parent, position);
        li.setAttribute("aria-posinset", position);
      }
      all("summary", li).forEach((summary) => {
        if (summary.closest("li") === li) summary.tabIndex = -1;
      });
    }
    for (const row of tree.rows) {
      if (row.fold) continue;
      row.li.setAttribute("aria-setsize", positions.get(row.parent));
      if (row.children) row.li.setAttribute("aria-expanded", "true");
    }
    if (tree.rows.length) tree.rows[0].li.tabIndex = 0;
  }

  // One row of each tree can be reached by Tab, and what can be opened in the row that is active.
  function setActive(row) {
    if (active === row) return;
    const inner = (of, index) => all("summary", of.li).forEach((summary) => {
      if (summary.closest("li") === of.li && !of.fold) summary.tabIndex = index;
    });
    if (active) inner(active, -1);
    for (const other of row.tree.rows) {
      if (other.li.tabIndex === 0) other.li.tabIndex = -1;
    }
    row.li.tabIndex = 0;
    inner(row, 0);
    active = row;
  }

  function focus(row) {
    if (!row) return;
    setActive(row);
    row.li.focus({ preventScroll: true });
    const isSmall = row.fold || row.li.offsetHeight < innerHeight * 0.7;
    (row.fold ? row.fold.firstElementChild : row.li).scrollIntoView({ block: isSmall ? "nearest" : "start" });
  }

  // Shows what no closed row, and no filter, hides.
  function apply() {
    const query = search.value.trim().toLowerCase();
    const states = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    isFiltered = query !== "" || states.size < boxes.length;
    unfolded.splice(0).forEach((fold) => (fold.open = false));
    const kept = isFiltered ? keep(query, states) : null;
    for (const tree of trees) {
      let shown = 0;
      let below = Infinity;
      for (const row of tree.rows) {
        if (row.level <= below) below = Infinity;
        const isShown = kept ? kept.has(row) : below === Infinity;
        if (row.li.hidden === isShown) row.li.hidden = !isShown;
        if (!row.fold && row.closed && below === Infinity) below = row.level;
        shown += isShown;
      }
      tree.element.hidden = tree.head.hidden = shown === 0;
    }
    for (const file of all(".file")) {
      const own = trees.filter((tree) => tree.file === file);
      file.hidden = own.length > 0 ? own.every((tree) => tree.element.hidden) : !file.textContent.toLowerCase().includes(query);
    }
    const count = kept ? [...kept.values()].filter(Boolean).length : 0;
    found.textContent = kept ? `${count} of ${rows.filter((row) => !row.fold).length} rows` : "";
  }

  // The rows that match, as true, and what has to be shown with them.
  function keep(query, states) {
    const kept = new Map();
    for (const row of rows) {
      if (row.fold) continue;
      row.text ??= (row.tree.file.querySelector("h2").textContent + " " + row.li.textContent).toLowerCase();
      if (!states.has(row.li.dataset.s) || !row.text.includes(query)) continue;
      kept.set(row, true);
      for (let above = row; above; above = above.parent) {
        if (!kept.has(above)) kept.set(above, false);
        if (above.within) {
          kept.set(above.within, false);
          if (!above.within.fold.open) unfolded.push(above.within.fold);
          above.within.fold.open = true;
        }
      }
    }
    return kept;
  }

  const isShown = (row) => !row.li.hidden && !row.tree.element.hidden && !(row.within && (row.within.li.hidden || !row.within.fold.open));

  function step(from, by, isWanted) {
    for (let at = from + by; at >= 0 && at < rows.length; at += by) {
      if (isWanted(rows[at])) return rows[at];
    }
    return null;
  }

  function setClosed(row, closed) {
    row.closed = closed;
    row.li.setAttribute("aria-expanded", !closed);
    apply();
  }

  function reveal(row) {
    row.tree.file.open = true;
    let changed = false;
    for (let above = row.parent; above; above = above.parent) {
      if (!above.closed) continue;
      above.closed = false;
      above.li.setAttribute("aria-expanded", "true");
      changed = true;
    }
    if (row.within) row.within.fold.open = true;
    if (changed) apply();
  }

  function goToChange(by) {
    const start = active ? active.number : by > 0 ? -1 : rows.length;
    const isReachable = (row) => row.isChange && !(isFiltered && row.li.hidden);
    const next = step(start, by, isReachable);
    if (!next) {
      found.textContent = by > 0 ? "This is the last change." : "This is the first change.";
      return;
    }
    reveal(next);
    focus(next);
  }

  function setAll(closed) {
    for (const row of rows) {
      if (row.fold) row.fold.open = !closed;
      else if (row.children) {
        row.closed = closed;
        row.li.setAttribute("aria-expanded", !closed);
      }
    }
    apply();
    if (active && !isShown(active)) setActive(active.tree.rows[0]);
  }

  function toggleDetails(row) {
    if (row.details) row.details.open = !row.details.open;
    else if (row.children) setClosed(row, !row.closed);
  }

  const inTree = {
    ArrowDown: (row) => focus(step(row.number, 1, isReached)),
    ArrowUp: (row) => focus(step(row.number, -1, isReached)),
    Home: (row) => focus(row.tree.rows.find(isShown)),
    End: (row) => focus(row.tree.rows.findLast(isShown)),
    Enter: toggleDetails,
    " ": toggleDetails,
    ArrowRight: (row) => {
      if (row.fold) row.fold.open ? focus(step(row.number, 1, isShown)) : (row.fold.open = true);
      else if (row.closed) setClosed(row, false);
      else if (row.children) focus(step(row.number, 1, isShown));
      else if (row.details) row.details.open = true;
    },
    ArrowLeft: (row) => {
      if (row.fold && row.fold.open) row.fold.open = false;
      else if (row.children && !row.closed) setClosed(row, true);
      else focus(row.parent);
    },
    "*": (row) => {
      for (const other of row.tree.rows) {
        if (other.parent === row.parent && other.closed) setClosed(other, false);
      }
    },
  };
  const isReached = (row) => isShown(row) && row.tree.file.open;

  const anywhere = {
    n: () => goToChange(1),
    p: () => goToChange(-1),
    "/": () => search.focus(),
    "?": () => help.showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const target = event.target;
    if (target.matches("input[type=search]")) {
      if (event.key === "Escape") {
        search.value = "";
        apply();
        focus(active ?? rows.find(isShown));
      }
      return;
    }
    const row = byElement.get(target.closest("ul.tree li"));
    let action = null;
    if (row && target === row.li) action = inTree[event.key] && (() => inTree[event.key](row));
    else if (row && event.key === "Escape") action = () => focus(row);
    action ??= Object.hasOwn(anywhere, event.key) ? anywhere[event.key] : null;
    if (!action) return;
    event.preventDefault();
    action();
  });

  document.addEventListener("focusin", (event) => {
    const row = byElement.get(event.target.closest("ul.tree li"));
    if (row) setActive(row);
  });

  document.addEventListener("click", (event) => {
    const line = event.target.closest(".line");
    const row = line && byElement.get(line.parentElement);
    if (!row || String(getSelection()) !== "") return;
    setActive(row);
    row.li.focus({ preventScroll: true });
    if (row.children) setClosed(row, !row.closed);
  });

  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  boxes.forEach((box) => box.addEventListener("change", apply));
  one("next").addEventListener("click", () => goToChange(1));
  one("previous").addEventListener("click", () => goToChange(-1));
  one("open").addEventListener("click", () => setAll(false));
  one("close").addEventListener("click", () => setAll(true));
  one("keys").addEventListener("click", () => help.showModal());
  one("done").addEventListener("click", () => help.close());

  // On paper all changes are open, and afterwards as they were.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details").filter((details) => !details.open && !details.closest(".rest") && !details.hidden);
    opened.forEach((details) => (details.open = true));
  });
  addEventListener("afterprint", () => opened.forEach((details) => (details.open = false)));

  tools.hidden = false;
})();
