// What screen readers read and use: elements that mirror what the game draws on its canvas.

/** Kinds of requests, as `crates/core/src/platform/browser/page.rs` numbers them. */
const CLICK = 1;
const FOCUS = 2;
const NUMBER = 3;

/** Milliseconds between two changes of the elements. */
const PAUSE = 100;

/** Where it is kept that a screen reader is there: browsers do not say. */
const KEPT = "outwit-screen-reader";

const SWITCH = document.getElementById("reader");

function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(isHeard) {
  try {
    if (isHeard) {
      localStorage.setItem(KEPT, "");
    } else {
      localStorage.removeItem(KEPT);
    }
  } catch {
    // A browser that keeps nothing is asked again at the next visit.
  }
}

export class Reader {
  /** What was asked for and the game has not taken yet. */
  requests = [];
  isHeard = false;
  #known = new Map();
  #latest;

  /** `awaken` lets the game look at the requests. */
  constructor(whole, canvas, awaken) {
    Object.assign(this, { whole, canvas, awaken });
    whole.addEventListener("click", ({ target }) => this.#ask(target, { kind: CLICK }));
    whole.addEventListener("input", ({ target }) => this.#ask(target, { kind: NUMBER, number: target.valueAsNumber }));
    whole.addEventListener("focusin", ({ target }) => {
      this.#ask(target, { kind: FOCUS });
      // A slider is moved while it has the focus; for all else the keys are the game's.
      if (target.tagName !== "INPUT") {
        canvas.focus();
      }
    });
    SWITCH.addEventListener("click", () => this.#turn(!this.isHeard));
    if (kept() !== null) {
      this.#turn(true);
    }
  }

  #turn(isHeard) {
    this.isHeard = isHeard;
    SWITCH.setAttribute("aria-pressed", isHeard);
    keep(isHeard);
    if (!isHeard) {
      this.#apply({ top: [], elements: [], focus: null });
    }
    this.awaken();
  }

  #ask(target, request) {
    const named = target.closest("[id]");
    if (named !== this.whole && !Number.isNaN(request.number)) {
      this.requests.push({ ...request, element: BigInt(named.id.slice(2)) });
      this.awaken();
    }
  }

  /** Shows elements soon; `shown` is what `mirror.rs` writes. */
  show(shown) {
    if (!this.#latest) {
      setTimeout(() => {
        const latest = this.#latest;
        this.#latest = undefined;
        if (this.isHeard) {
          this.#apply(latest);
        }
      }, PAUSE);
    }
    this.#latest = shown;
  }

  #apply({ top, elements, focus }) {
    const old = this.#known;
    const corner = this.canvas.getBoundingClientRect();
    this.#known = new Map();
    for (const element of elements) {
      const before = old.get(element.id);
      const node = before?.localName === element.tag ? before : document.createElement(element.tag);
      node.id = element.id;
      this.#known.set(element.id, node);
      write(node, element, corner);
    }
    arrange(this.whole, top.map((id) => this.#known.get(id)));
    for (const { id, tag, children = [], text = "", live = false } of elements) {
      if (tag !== "input") {
        const node = this.#known.get(id);
        arrange(node, [...said(node, text, live), ...children.map((child) => this.#known.get(child))]);
      }
    }
    if (focus === null) {
      this.canvas.removeAttribute("aria-activedescendant");
    } else {
      change(this.canvas, "aria-activedescendant", focus);
    }
    if (document.activeElement === document.body) {
      // What had the keyboard is gone.
      this.canvas.focus();
    }
  }
}

/** Gives a node the attributes and the place of an element; `x` and `y` are the canvas's corner. */
function write(node, { attributes, place: [left, top, width, height] }, { x, y }) {
  const place = { left: `${x + left}px`, top: `${y + top}px`, width: `${width}px`, height: `${height}px` };
  Object.assign(node.style, place);
  const wanted = new Map(attributes);
  for (const name of node.getAttributeNames()) {
    if (name !== "id" && name !== "style" && !wanted.has(name)) {
      node.removeAttribute(name);
    }
  }
  for (const [name, value] of wanted) {
    change(node, name, value);
  }
  if (node.localName === "input" && node.value !== wanted.get("value")) {
    node.value = wanted.get("value") ?? "";
  }
}

/** The element of a node's own text, if it says anything; what is live stays, so that a reader hears it change. */
function said(node, text, live) {
  const old = node.querySelector(":scope > [data-text]");
  if (text === "" && !live) {
    return [];
  }
  const own = old ?? document.createElement("span");
  change(own, "data-text", "");
  if (live) {
    change(own, "aria-live", "polite");
  } else {
    own.removeAttribute("aria-live");
  }
  if (own.textContent !== text) {
    own.textContent = text;
  }
  return [own];
}

/** Makes these the children of a parent, and leaves alone what stands where it should. */
function arrange(parent, wanted) {
  const keep = new Set(wanted);
  for (const child of [...parent.children]) {
    if (!keep.has(child)) {
      child.remove();
    }
  }
  let next = parent.firstElementChild;
  for (const child of wanted) {
    if (child === next) {
      next = next.nextElementSibling;
    } else {
      parent.insertBefore(child, next);
    }
  }
}

function change(node, name, value) {
  if (node.getAttribute(name) !== value) {
    node.setAttribute(name, value);
  }
}
