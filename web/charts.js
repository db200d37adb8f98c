'use strict';
// Charts as plain SVG. All text goes through text nodes, so labels that look like HTML stay text.

function element(make, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== null) make.setAttribute(name, value);
  for (const child of children.flat())
    if (child !== null && child !== undefined) make.append(child);
  return make;
}
const h = (tag, attributes, ...children) => element(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) =>
  element(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
const tip = text => s('title', {}, text);
const text = (x, y, words, attributes) => s('text', {x, y, ...attributes}, String(words));

const isNumber = value => typeof value === 'number' && Number.isFinite(value);
const short = value => !isNumber(value) ? '–'
  : Number.isInteger(value) ? value.toLocaleString('en') : String(Number(value.toPrecision(4)));
const narrow = () => document.documentElement.clientWidth < 760;
// The text of an axis mark with all its digits, because neighbours may differ only in the last one.
const tickWords = v => v === 0 || (Math.abs(v) >= 1e-4 && Math.abs(v) < 1e12) ? v.toLocaleString('en', {maximumSignificantDigits: 12}) : v.toExponential();
const room = () => Math.max(document.documentElement.clientWidth - 56, 240);  // within the frame of a figure
const wide = () => Math.min(room(), 560);
const pen = document.createElement('canvas').getContext('2d');
const textWidth = (words, size = 12) => {
  pen.font = `${size}px system-ui, sans-serif`;
  return pen.measureText(words).width;
};
const widest = (list, size) => Math.max(0, ...list.map(words => textWidth(words, size)));
// Shortens a text in the middle to fit, because names often differ only at the beginning or the end.
function fitted(words, width, size) {
  const letters = [...words];
  for (let kept = Math.min(letters.length, 200); kept > 1; --kept) {
    const shown = kept === letters.length ? words
      : letters.slice(0, Math.ceil(kept / 2)).join('') + '…' + letters.slice(letters.length - Math.floor(kept / 2)).join('');
    if (textWidth(shown, size) <= width) return shown;
  }
  return letters[0] ?? '';
}

function save(name, type, content) {
  const link = h('a', {href: URL.createObjectURL(new Blob([content], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function csv(rows) {
  const field = value => /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return rows.map(row => row.map(value => field(String(value ?? ''))).join(',') + '\n').join('');
}

// The SVG file of one chart, including the page's style.
function standalone(svg) {
  const copy = svg.cloneNode(true);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.prepend(s('style', {}, document.querySelector('style').textContent));
  return new XMLSerializer().serializeToString(copy);
}

// A chart with its caption and two buttons. `rows` are its data for the CSV file, header first.
function figure(caption, svg, rows) {
  const name = caption.replace(/[^a-z0-9]+/gi, '_').slice(0, 60);
  const button = (label, run) => {
    const made = h('button', {type: 'button', title: `Save as ${label}`}, label);
    made.addEventListener('click', run);
    return made;
  };
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', caption);
  return h('figure', {},
    h('figcaption', {}, h('span', {}, caption),
      button('CSV', () => save(name + '.csv', 'text/csv', csv(rows))),
      button('SVG', () => save(name + '.svg', 'image/svg+xml', standalone(svg)))),
    h('div', {class: 'scroll'}, svg));
}

const canvas = (width, height, ...children) =>
  s('svg', {viewBox: `0 0 ${width} ${height}`, width, height}, ...children);

function ticks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find(m => m * power >= rough);
  const found = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) found.push(Number(v.toPrecision(12)));
  return found;
}

function axis(values, log) {
  let low = Infinity, high = -Infinity;
  for (const v of values) if (isNumber(v)) { low = Math.min(low, v); high = Math.max(high, v); }
  if (low > high) return null;
  if (log) return {low: Math.log10(low) - 0.05, high: Math.log10(high) + 0.05, of: Math.log10};
  const pad = (high - low || Math.abs(high) || 1) * 0.05;
  return {low: low - pad, high: high + pad, of: v => v};
}

// The mark of series k: eight colours, each with three shapes.
function mark(k, x, y, r, ...children) {
  const shapes = [[[-1, -1], [1, -1], [1, 1], [-1, 1]], [[0, -1.3], [1.3, 1], [-1.3, 1]]], shape = shapes[Math.floor(k / 8) % 3 - 1];
  const attributes = {class: `dot c${k % 8}`};
  if (!shape) return s('circle', {cx: x.toFixed(1), cy: y.toFixed(1), r, ...attributes}, ...children);
  return s('polygon', {points: shape.map(([dx, dy]) => `${(x + r * dx).toFixed(1)},${(y + r * dy).toFixed(1)}`).join(' '), ...attributes}, ...children);
}

// A line or dot chart. series: [{name, points: [[x, y, words]], line, dots, diagonal}]; `words` appear on hover.
function chart({series, x, y, log, diagonal, xTicks, whole}) {
  const width = wide(), height = 300, top = 10, bottom = 40;
  const points = series.flatMap(one => one.points).filter(p => isNumber(p[0]) && isNumber(p[1]));
  let across = axis(points.map(p => p[0]), log), up = axis(points.map(p => p[1]));
  if (!across) return canvas(width, 40, text(8, 24, 'nothing to show yet', {class: 'soft'}));
  if (diagonal) across = up = axis(points.flatMap(p => [p[0], p[1]]));
  const steps = ticks(up.low, up.high, 5), left = 34 + widest(steps.map(tickWords), 11);
  const marks = log ? ticks(across.low, across.high, 5).map(e => Number((10 ** e).toPrecision(2)))
    : xTicks ?? ticks(across.low, across.high, Math.floor(width / 90)).filter(v => !whole || Number.isInteger(v));
  const right = 6 + widest(marks.map(tickWords), 11) / 2;
  const px = v => left + (across.of(v) - across.low) / (across.high - across.low) * (width - left - right);
  const py = v => height - bottom - (v - up.low) / (up.high - up.low) * (height - top - bottom);
  const svg = canvas(width, height);
  for (const v of marks) svg.append(s('line', {x1: px(v), x2: px(v), y1: top, y2: height - bottom, class: 'grid'}),
    text(px(v), height - bottom + 15, tickWords(v), {class: 'tick middle'}));
  for (const v of steps) svg.append(
    s('line', {x1: left, x2: width - right, y1: py(v), y2: py(v), class: 'grid'}),
    text(left - 6, py(v) + 4, tickWords(v), {class: 'tick end'}));
  svg.append(text((left + width - right) / 2, height - 6, x, {class: 'middle soft'}),
    text(0, 0, y, {class: 'middle soft', transform: `translate(13 ${(height - bottom + top) / 2}) rotate(-90)`}));
  if (diagonal) svg.append(s('line', {x1: px(across.low), y1: py(up.low), x2: px(across.high), y2: py(up.high), class: 'diagonal'}));
  series.forEach((one, k) => {
    const shown = one.points.filter(p => isNumber(p[0]) && isNumber(p[1]));
    const kind = `c${k % 8}`;
    if (one.line) svg.append(s('polyline', {points: shown.map(p => `${px(p[0]).toFixed(1)},${py(p[1]).toFixed(1)}`).join(' '),
      class: 'line ' + kind}, tip(one.name)));
    if (one.dots !== false) for (const p of shown)
      svg.append(mark(k, px(p[0]), py(p[1]), shown.length > 200 ? 2 : 3.5, tip(p[2] ?? `${one.name}: ${p[0]}, ${p[1]}`)));
  });
  return svg;
}

function legend(series) {
  return h('p', {class: 'legend'}, series.map((one, k) => h('span', {},
    canvas(12, 12, mark(k, 6, 6, 4.5)), ' ' + one.name)));
}

// Horizontal bars for positive or negative values. items: [{name, value, words, spread}]; `words` appear on hover.
function bars(items, unit) {
  const valueText = item => short(item.value) + (unit || '');
  const width = wide(), label = Math.min(210, width * 0.42), row = 22, end = 8 + widest(items.map(valueText));
  const most = Math.max(...items.map(i => Math.abs(i.value) + (i.spread || 0)), 1e-300);
  const svg = canvas(width, items.length * row + 4);
  items.forEach((item, k) => {
    const y = k * row + 3, length = Math.max(1, Math.abs(item.value) / most * (width - label - end));
    svg.append(s('g', {}, tip(item.words ?? `${item.name}: ${item.value}`),
      text(label - 8, y + 13, fitted(item.name, label - 8), {class: 'end'}),
      s('rect', {x: label, y, width: length, height: row - 5, rx: 3, class: item.value < 0 ? 'bar c1' : 'bar c0'}),
      item.spread ? s('line', {x1: label + length - item.spread / most * (width - label - end), x2: label + length + item.spread / most *
        (width - label - end), y1: y + 8, y2: y + 8, class: 'whisker'}) : null,
      text(label + length + 5, y + 13, valueText(item), {class: 'soft'})));
  });
  return svg;
}

// A table; numbers are aligned right and show all their digits on hover.
function table(head, rows) {
  const cell = value => isNumber(value) ? h('td', {class: 'number', title: value}, short(value))
    : value instanceof Node ? h('td', {}, value) : h('td', {}, value === null || value === undefined ? '–' : String(value));
  return h('div', {class: 'scroll'}, h('table', {},
    h('thead', {}, h('tr', {}, head.map((name, k) => h('th', rows.some(row => isNumber(row[k])) ? {class: 'number'} : {}, name)))),
    h('tbody', {}, rows.map(row => h('tr', {}, row.map(cell))))));
}
