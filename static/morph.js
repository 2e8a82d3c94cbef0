// Brings a page up to date in place.

// Replacing the whole page would lose the focus, the open details and the reader's place. So this changes only the
// nodes that differ. A form that somebody is at stays as it is. One that they have put something into stays also if the
// page has it no more: it says what happened once it is sent.
export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (!alike(old, fresh) || old.nodeName === "FORM") {
    if (!formsIn(old).some(isTyped)) old.replaceWith(fresh);
  } else if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
  } else {
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    morphChildren(old, fresh);
  }
}

// Children go by their order, from one with a form in use to the next.
function morphChildren(old, fresh) {
  const want = [...fresh.childNodes];
  const free = [];
  const fill = (count, next) => {
    for (const node of want.splice(0, count)) {
      if (free.length > 0) morph(free.shift(), node);
      else old.insertBefore(node, next);
    }
    for (const node of free.splice(0)) node.remove();
  };
  for (const node of [...old.childNodes]) {
    const form = formsIn(node).find(inUse);
    const at = form ? placeOf(node, form, want) : -1;
    if (at >= 0) {
      fill(at, node);
      const [now] = want.splice(0, 1);
      if (node !== form) morph(node, now);
    } else if (!form || !isTyped(form)) free.push(node);
  }
  fill(want.length, null);
}

// Which of these nodes a node with a form in use becomes: the one with that form, or else what the form lay in.
function placeOf(node, form, want) {
  const at = want.findIndex((each) => formsIn(each).some((other) => marks(other) === marks(form)));
  return at < 0 && node !== form && isTyped(form) ? want.findIndex((each) => alike(node, each) && node.className === each.className) : at;
}

const alike = (old, fresh) => old.nodeName === fresh.nodeName && old.id === fresh.id;

const formsIn = (node) => (node.nodeName === "FORM" ? [node] : [...node.querySelectorAll?.("form") ?? []]);

// What tells a form from others: where it goes, and what its page has chosen for it.
const marks = (form) => form.getAttribute("action") + [...form.querySelectorAll(CHOSEN)].map(({ name, value }) => name + value);
const CHOSEN = "[type=hidden]:not([name=csrfmiddlewaretoken], [name=key], [name=version])";

const inUse = (form) => form.contains(document.activeElement) || isTyped(form);
export const isTyped = (form) => [...form.elements].some(touched);

function touched(field) {
  if (field.type === "hidden") return false;
  if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  return field.checked !== field.defaultChecked || ("defaultValue" in field && field.value !== field.defaultValue);
}
