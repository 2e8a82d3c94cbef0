// Brings a page up to date in place.

// Replacing the whole page would lose the focus, the open details and the reader's place. So this changes only the
// nodes that differ. A form that somebody is at or has put something into stays as it is, with all that it lies in, even
// if the page has none any more: it says what happened once it is sent.
export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id || old.nodeName === "FORM") {
    if (!formInUse(old)) old.replaceWith(fresh);
  } else if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
  } else {
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    morphChildren(old, fresh);
  }
}

// Children go by their order, from one with a form in use to the next. Such a child becomes the one that has its form.
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
    const form = formInUse(node);
    const at = form ? want.findIndex((each) => formsIn(each).some((other) => other.getAttribute("action") === form.getAttribute("action"))) : -1;
    if (!form) free.push(node);
    if (at < 0) continue;
    fill(want.slice(0, at), node);
    morph(node, want[at]);
    want = want.slice(at + 1);
  }
  fill(want, null);
}

function formsIn(node) {
  if (node.nodeName === "FORM") return [node];
  return node.nodeType === Node.ELEMENT_NODE ? [...node.querySelectorAll("form")] : [];
}

const formInUse = (node) => formsIn(node).find((form) => form.contains(document.activeElement) || [...form.elements].some(touched));

function touched(field) {
  if (field.type === "hidden") return false;
  if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  return field.checked !== field.defaultChecked || ("defaultValue" in field && field.value !== field.defaultValue);
}
