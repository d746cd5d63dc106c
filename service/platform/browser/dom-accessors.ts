/**
 * Access to the DOM for functions that run inside a page, independent of what the page has renamed
 * or changed: a form field can have the name of a property.
 */
export const domAccessors = String.raw`
  const getter = (of, name) => {
    const { get } = Object.getOwnPropertyDescriptor(of.prototype, name);
    return (node) => get.call(node);
  };
  const method = (of, name) => {
    const called = of.prototype[name];
    return (node, ...given) => called.apply(node, given);
  };
  const firstOf = getter(Node, 'firstChild');
  const nextOf = getter(Node, 'nextSibling');
  const nameOf = getter(Node, 'nodeName');
  const shadowOf = getter(Element, 'shadowRoot');
  const attributesOf = getter(Element, 'attributes');
  const attributeOf = method(Element, 'getAttribute');
  const checkVisibility = method(Element, 'checkVisibility');
  const bodyOf = getter(Document, 'body');
  const assignedTo = method(HTMLSlotElement, 'assignedNodes');
  const tagOf = (element) => nameOf(element).toLowerCase();
  const kindOf = getter(Node, 'nodeType');
  const isText = (node) => kindOf(node) === Node.TEXT_NODE;
  const isElement = (node) => kindOf(node) === Node.ELEMENT_NODE;
  // Without a box of its own, but with visible content.
  const isOnlyContents = (element) => getComputedStyle(element).display === 'contents';
  const isSeen = (element) =>
    checkVisibility(element, { visibilityProperty: true }) ||
    (isOnlyContents(element) && getComputedStyle(element).visibility === 'visible');
  // Visits the rendered children of an element, including those of shadow trees and slots, until
  // 'visit' returns false.
  const eachShown = (node, visit) => {
    if (node instanceof HTMLSlotElement) {
      const assigned = assignedTo(node);
      for (const child of assigned) if (visit(child) === false) return;
      if (assigned.length > 0) return;
    }
    const from = (isElement(node) && shadowOf(node)) || node;
    for (let child = firstOf(from); child; child = nextOf(child))
      if (visit(child) === false) return;
  };
  const textOf = (node, most) => node.substringData(0, most + 1).replaceAll(/\s+/g, ' ');
`;
