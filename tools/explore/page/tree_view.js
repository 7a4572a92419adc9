// tree_view.js -- a tree with a value in front of each node. Only the rows in sight are in the page.
//
// The owner gives a source: roots() and children(id) are arrays of ids, label(id) a text, value(id, isOpen) a number.
// An open node shows its own share, a closed one that of all below.

import {element} from "./dom.js";
import {shownName} from "./text.js";

const kRowHeight = 24;
const kSpare = 8;  // rows drawn beyond those in sight

export class TreeView {
  // facts: {label, isOpen(id), onToggle(id, isOpen), onSelect(id), text(value, id), colour(value), detail(id)}
  constructor(facts) {
    this.facts = facts;
    this.source = null;
    this.rows = [];
    this.selected = null;
    this.least = 0;  // share of the whole below which nodes are hidden
    this.isSorted = false;
    this.hasOrder = true;  // false: nodes come in no order of their own, so they are sorted anyway
    this.sought = "";
    this.inside = element("div", {class: "rows", role: "presentation"});
    this.host = element("div", {class: "tree", role: "tree", tabindex: "0", "aria-label": facts.label,
      on: {scroll: () => this.draw(), keydown: (event) => this.onKey(event), click: (event) => this.onClick(event)}}, this.inside);
    new ResizeObserver(() => this.draw()).observe(this.host);
  }

  show(source, selected) {
    this.source = source;
    this.selected = selected;
    this.update();
  }

  select(id) {
    this.selected = id;
    this.draw();
  }

  // After nodes were opened, values changed, or what is hidden.
  update() {
    if (!this.source) return;
    this.rows = [];
    this.total = Math.abs(this.source.total());
    const walk = (ids, depth) => {
      const kept = this.order(ids);
      kept.forEach((id, place) => {
        const children = this.source.children(id);
        const isOpen = children.length > 0 && this.facts.isOpen(id);
        this.rows.push({id, depth, isOpen, isLeaf: children.length === 0, value: this.source.value(id, isOpen), place, of: kept.length});
        if (isOpen) walk(children, depth + 1);
      });
    };
    walk(this.source.roots(), 0);
    this.draw();
  }

  order(ids) {
    let kept = ids;
    if (this.least > 0) kept = kept.filter((id) => Math.abs(this.source.value(id, false)) >= this.least * this.total);
    if (!this.isSorted && this.hasOrder) return kept;
    const sizes = new Map(kept.map((id) => [id, this.source.value(id, false)]));
    return [...kept].sort((a, b) => Math.abs(sizes.get(b)) - Math.abs(sizes.get(a)));
  }

  draw() {
    this.inside.style.setProperty("height", `${this.rows.length * kRowHeight}px`);
    const first = Math.max(0, Math.floor(this.host.scrollTop / kRowHeight) - kSpare);
    const last = Math.min(this.rows.length, Math.ceil((this.host.scrollTop + (this.host.clientHeight || 600)) / kRowHeight) + kSpare);
    this.inside.replaceChildren(...this.rows.slice(first, last).map((row, i) => this.drawRow(row, first + i)));
    const active = this.rows.findIndex((row) => row.id === this.selected);
    if (active >= first && active < last) this.host.setAttribute("aria-activedescendant", this.idOf(active));
    else this.host.removeAttribute("aria-activedescendant");
  }

  idOf(index) {
    return `${this.facts.label.replace(/\W/g, "-")}-${index}`;
  }

  drawRow(row, index) {
    const label = this.source.label(row.id);
    const text = this.facts.text(row.value, row.id);
    const isFound = this.sought && label.toLowerCase().includes(this.sought);
    return element("div", {
      class: `row${row.id === this.selected ? " selected" : ""}${isFound ? " found" : ""}${row.value === 0 ? " empty" : ""}`,
      role: "treeitem", id: this.idOf(index), "data-row": index, title: shownName(this.facts.detail?.(row.id) ?? label, 1000),
      "aria-level": row.depth + 1, "aria-expanded": row.isLeaf ? null : String(row.isOpen), "aria-setsize": row.of,
      "aria-posinset": row.place + 1, "aria-selected": String(row.id === this.selected), "aria-label": `${shownName(label)}: ${text}`,
      style: {top: `${index * kRowHeight}px`, "padding-left": `${row.depth * 14 + 4}px`},
    },
    element("span", {class: "twist"}, row.isLeaf ? "" : row.isOpen ? "▾" : "▸"),
    element("span", {class: "swatch", style: {background: this.facts.colour(row.value, row.id)}}),
    element("span", {class: "value"}, text),
    element("bdi", {class: "name"}, shownName(label)));
  }

  onClick(event) {
    const shown = event.target.closest("[data-row]");
    if (!shown) return;
    const row = this.rows[Number(shown.dataset.row)];
    if (event.target.className === "twist" && !row.isLeaf) this.facts.onToggle(row.id, !row.isOpen);
    else this.facts.onSelect(row.id);
  }

  onKey(event) {
    const at = this.rows.findIndex((row) => row.id === this.selected);
    const row = this.rows[at];
    const go = (index) => {
      if (!this.rows[index]) return;
      this.facts.onSelect(this.rows[index].id);
      this.reveal(this.rows[index].id);
    };
    const keys = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(this.rows.length - 1),
      PageDown: () => go(Math.min(at + 20, this.rows.length - 1)),
      PageUp: () => go(Math.max(at - 20, 0)),
      ArrowRight: () => (row && !row.isLeaf && !row.isOpen ? this.facts.onToggle(row.id, true) : go(at + 1)),
      ArrowLeft: () => (row?.isOpen ? this.facts.onToggle(row.id, false) : this.goToParent(at, go)),
      Enter: () => row && !row.isLeaf && this.facts.onToggle(row.id, !row.isOpen),
      " ": () => row && !row.isLeaf && this.facts.onToggle(row.id, !row.isOpen),
    };
    if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  }

  goToParent(at, go) {
    for (let i = at - 1; i >= 0; --i) if (this.rows[i].depth < this.rows[at].depth) return go(i);
  }

  // Scrolls until the node is in sight.
  reveal(id) {
    const index = this.rows.findIndex((row) => row.id === id);
    if (index < 0) return;
    const top = index * kRowHeight, height = this.host.clientHeight;
    if (top < this.host.scrollTop) this.host.scrollTop = top;
    if (top + kRowHeight > this.host.scrollTop + height) this.host.scrollTop = top + kRowHeight - height;
    this.draw();
  }
}
