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
  let want = [...fresh.childNodes];
  let free = [];
  const fill = (part, next) => {
    part.forEach((node, i) => {
      if (i < free.length) morph(free[i], node);
      else old.insertBefore(node, next);
    });
    for (const node of free.slice(part.length)) node.remove();
    free = [];
  };
  for (const node of [...old.childNodes]) {
    const form = formsIn(node).find(inUse);
    const at = form ? placeOf(node, form, want) : -1;
    if (at >= 0) {
      fill(want.slice(0, at), node);
      if (node !== form) morph(node, want[at]);
      want = want.slice(at + 1);
    } else if (!form || !isTyped(form)) free.push(node);
  }
  fill(want, null);
}

// Which of these nodes a node with a form in use becomes: the one with that form, or else what the form lay in.
function placeOf(node, form, want) {
  const at = want.findIndex((each) => formsIn(each).some((other) => marks(other) === marks(form)));
  if (at >= 0 || node === form || !isTyped(form)) return at;
  return want.findIndex((each) => alike(node, each) && node.className === each.className);
}

const alike = (old, fresh) => old.nodeName === fresh.nodeName && old.id === fresh.id;

function formsIn(node) {
  if (node.nodeName === "FORM") return [node];
  return node.nodeType === Node.ELEMENT_NODE ? [...node.querySelectorAll("form")] : [];
}

// What tells a form from others: where it goes, and what its page has chosen for it.
function marks(form) {
  const chosen = [...form.elements].filter(({ name, type }) => type === "hidden" && !ONCE.includes(name));
  return [form.getAttribute("action"), ...chosen.map(({ name, value }) => `${name}=${value}`)].join(" ");
}
const ONCE = ["csrfmiddlewaretoken", "key", "version"];

const inUse = (form) => form.contains(document.activeElement) || isTyped(form);
const isTyped = (form) => [...form.elements].some(touched);

function touched(field) {
  if (field.type === "hidden") return false;
  if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  return field.checked !== field.defaultChecked || ("defaultValue" in field && field.value !== field.defaultValue);
}
