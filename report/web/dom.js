// Elements. Text is inserted as text, never as HTML.

// html makes an element.
function html(tag, attributes, ...children) {
  const node = document.createElement(tag);
  return fill(node, attributes, children);
}

function svg(tag, attributes, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  return fill(node, attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  for (const child of children) {
    if (child !== null && child !== undefined) node.append(child); // a string becomes a text node
  }
  return node;
}

// spaced writes narrow spaces between the thousands of numbers with five digits or more.
function spaced(text) {
  return text.replace(/[\p{L}\p{N}_.]+/gu, (word) =>
    /^\d{5,}(\.\d*)?$/.test(word)
      ? word.replace(/^\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, '\u202f'))
      : word,
  );
}

// gapped is the same with gaps that are no characters, so that a number can be copied.
function gapped(text) {
  const [first, ...rest] = spaced(text).split('\u202f');
  return [first, ...rest.map((part) => html('span', { class: 'k' }, part))];
}

// label is a text in a picture. One that is too long ends in an ellipsis and has a tooltip.
function label(attributes, text, most = 18) {
  const shown = spaced(shorten(text, most));
  return svg('text', attributes, shown, text.length > most ? svg('title', {}, text) : null);
}

// shorten keeps a text to so many characters.
function shorten(text, most) {
  return text.length > most ? text.slice(0, Math.max(1, most - 1)) + '…' : text;
}
