// Brings a page up to date in place.

// Replacing the whole page would lose the focus, the open details and the reader's place. So this changes only the
// nodes that differ.
export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id || old.nodeName === "FORM") {
    old.replaceWith(fresh);
  } else if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
  } else {
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    const kept = [...old.children].filter(inUse).map((form) => form.getAttribute("action"));
    const free = (node) => node.nodeName !== "FORM" || !kept.includes(node.getAttribute("action"));
    const have = [...old.childNodes].filter(free);
    const want = [...fresh.childNodes].filter(free);
    want.forEach((node, i) => {
      if (i < have.length) morph(have[i], node);
      else old.append(node);
    });
    for (const node of have.slice(want.length)) node.remove();
  }
}

// Nobody should lose a form that they are at or have put something into.
function inUse(node) {
  return node.nodeName === "FORM" && (node.contains(document.activeElement) || [...node.elements].some(touched));
}

function touched(field) {
  if (field.type === "hidden") return false;
  if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  return field.checked !== field.defaultChecked || ("defaultValue" in field && field.value !== field.defaultValue);
}
