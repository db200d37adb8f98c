// Reads the fields of a table as gopnet does.
const trim = text => text.replace(/^[ \t]+|[ \t]+$/g, "");
const trimBlanks = text => text.replace(/^[ \t\u00a0\u202f]+|[ \t\u00a0\u202f]+$/g, "");
const missing = text => /^(\?|NA|[+-]?nan(\(\w*\))?)?$/.test(text.replace(/nan/i, "nan"));
const blankWords = ["n.a.", "n.a", "n/a", "na", "null", "none", "nil", "-", "--", "---", ".", "*", "missing", "unknown", "#n/a", "#value!", "#ref!", "#div/0!",
  "#num!", "<na>", "nat", "\\n", "#null!", "#name?", "n.d.", "nd", "not available", "\u2013", "\u2014"];
const blank = text => missing(text) || blankWords.includes(text.toLowerCase());
const number = text => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;

// Hours of a clock time. The fraction belongs to the seconds if there are any, otherwise to the minutes.
const hoursOf = (h, m, s, fraction = "") => {
  const part = Number("0" + fraction), seconds = s !== undefined;
  return h + (Number(m) + (seconds ? 0 : part)) / 60 + (Number(s ?? 0) + (seconds ? part : 0)) / 3600;
};

// Year, month, weekday (Monday is 1), hour and days since 1970; null if the text is not a date in that order.
const months = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
const parseDate = (text, order) => {
  const take = {y: order === "ymd" ? "(\\d{4})" : "(\\d{4}|\\d\\d(?= |$))", m: "(\\d{1,2}|[a-z]{3,})", d: "(\\d{1,2})"};
  const [a, b, c] = [...order].map(letter => take[letter]);
  const whole = new RegExp(`^${a}([-/. ])${b}(?:,(?= ))?\\2${c}`, "i").exec(text);
  const found = whole ?? (order === "ymd" ? /^(\d{4})()(\d\d|[a-z]{3,})(\d\d)/i.exec(text) ?? /^(19\d\d|20\d\d|2100)(-)(\d{1,2}|[a-z]{3,})$/i.exec(text) :
    order === "dmy" ? /^(\d{1,2})()([a-z]{3,})(\d{4}|\d\d(?= |$))/i.exec(text) : null);
  if (!found) return null;
  const texts = [found[1], found[3], found[4] ?? "1"], part = letter => texts[order.indexOf(letter)], named = /[a-z]/i.test(part("m"));
  const month = named ? months.findIndex(name => name.startsWith(part("m").toLowerCase())) + 1 : Number(part("m"));
  if (found[2] === " " && !named) return null;
  if (part("y").length === 2 && !named && found[2] !== "/" && part("d").length + part("m").length < 4) return null;  // 31.1.20 may be a version number
  const year = Number(part("y")) + (part("y").length > 2 ? 0 : part("y") < 69 ? 2000 : 1900);
  const time = /^(?:[T :][ \t]*(\d{1,2}):(\d\d)(?::(\d\d))?(\.\d*)?(?:[ \t]*([AaPp])[Mm]|Z|[+-][-+0-9:]*)?)?$/.exec(text.slice(found[0].length));
  if (!time) return null;
  const [clock, m, s] = time.slice(1, 4).map(t => Number(t ?? 0)), utc = new Date(0);
  if (time[5] && (clock < 1 || clock > 12)) return null;
  const h = time[5] ? clock % 12 + (/p/i.test(time[5]) ? 12 : 0) : clock;
  utc.setUTCFullYear(year, month - 1, Number(part("d")));
  if (utc.getUTCMonth() !== month - 1 || utc.getUTCDate() !== Number(part("d")) || h > 23 || m > 59 || s > 60) return null;
  const hour = hoursOf(h, m, time[3] && s, time[4]);
  return {year, month, weekday: (utc.getUTCDay() + 6) % 7 + 1, hour, days: utc.getTime() / 864e5 + hour / 24};
};
// Accepts 2020-01-31 as well, which is clear whatever order training saw.
const parseNewDate = (text, order) => parseDate(text, order) ?? (text.length > 5 && /\D/.test(text) ? parseDate(text, "ymd") : null);

// Turns the notations of numbers that training accepts into plain numbers: $5, 12 kg, (5) for -5, 1 234, 1.234,5.
const ungroup = (text, gap) => {
  const found = new RegExp(`^([+-]?)(${/[.,]/.test(gap) ? "[1-9]\\d{0,2}" : "\\d{1,3}"})((?:${gap}\\d{3})+)(?!\\d|${gap})(.*)$`).exec(text);
  return found ? found[1].replace("+", "") + found[2] + found[3].replace(/\D/g, "") + found[4] : text;
};
const clock = (column, text) => {  // a time or duration such as 10:30, in hours
  const parts = /^(\d{1,4}):([0-5]\d)(?::([0-5]\d|60))?(\.\d*)?(?:[ \t]*([AaPp])[Mm])?$/.exec(text), hour = parts ? Number(parts[1]) : 0;
  if (!parts || column.unit !== (parts[3] ? "h:mm:ss" : "h:mm")) return NaN;
  if (parts[5] && hour > 12) return NaN;
  return hoursOf(parts[5] ? hour % 12 + (/p/i.test(parts[5]) ? 12 : 0) : hour, parts[2], parts[3], parts[4]);
};
const plain = (column, text) => {
  const hours = clock(column, text);
  if (!Number.isNaN(hours)) return String(hours);
  const inner = /^\([ \t]*([^-+(].*)\)$/.exec(text), negative = inner || /^[-\u2212\u2013](?!\+)/.test(text);
  let bare = trimBlanks(inner ? inner[1] : negative ? text.slice(1) : text);
  if (column.unit && bare.endsWith(column.unit)) bare = trimBlanks(bare.slice(0, -column.unit.length));
  bare = (negative ? "-" : "") + trimBlanks(bare.replace(/^(\$|\u20ac|\u00a3|\u00a5|EUR|USD|GBP)|(\$|\u20ac|\u00a3|\u00a5|EUR|USD|GBP)$/, ""));
  for (const gap of [" ", "\u00a0", "\u202f", "'", "_"]) bare = ungroup(bare, gap);
  const comma = column.commas ?? column.comma, whole = ungroup(bare, comma ? "\\." : ",");
  if (!comma) return whole;
  return whole === bare && bare.includes(".") ? "x" : whole.replace(",", ".");
};

// The features of one field of a column; throws an error if the field does not fit the column.
const encodeNumber = (column, field) => {
  const text = typeof field === "number" ? String(field) : plain(column, trim(field)), value = Math.fround(number(text) - column.offset);
  if (!Number.isFinite(value) && !blank(trim(String(field)))) throw new Error(`column '${column.name}': expected a number, found '${field}'`);
  return [Number.isFinite(value) ? value : NaN];
};
const encodeDate = (column, text) => {
  const found = parseNewDate(text, column.date), count = column.hours ? 5 : 4;
  if (!found && !blank(text)) throw new Error(`column '${column.name}': expected a date as in training, found '${text}'`);
  if (!found) return Array(count).fill(NaN);
  return [found.year, found.month, found.weekday, ...(column.hours ? [found.hour] : []), found.days - column.offset];
};
// The index of a category by its text or, for plain numbers, by value: 1.0 is 1. Numbers beyond 2^53 compare as texts, because
// different ones may have the same value.
const categoryOf = (column, text) => {
  const at = column.categories.indexOf(text), value = (text, comma) => {
    const found = number(comma ? text.includes(".") ? "x" : trim(text).replace(",", ".") : trim(text));
    return Math.abs(found) < 2 ** 53 ? found : NaN;
  };
  const asked = value(text, column.commas ?? column.comma);
  return at >= 0 || Number.isNaN(asked) ? at : column.categories.findIndex(c => value(c, column.comma) === asked);
};
const encodeText = (column, text) => {
  const at = categoryOf(column, text), none = at < 0 && missing(trim(text));
  const hot = column.categories.map((_, k) => none ? NaN : k === at ? 1 : 0);
  return column.other ? [...hot, none ? NaN : at < 0 ? 1 : 0] : hot;
};
const encodeField = (column, field) => {
  const text = String(field);
  const features = column.text ? encodeText(column, text) : column.date ? encodeDate(column, trim(text)) : encodeNumber(column, field);
  const known = column.text ? features.some(v => !Number.isNaN(v)) : !Number.isNaN(features[0]);
  return column.indicator ? [...features, known ? 0 : 1] : features;
};

// pool[terms](z, n): the sum over products of `terms` neighbours of z(0) .. z(n - 1); pool[0] is the maximum.
const pool = [
  (z, n) => { let m = z(0); for (let k = 1; k < n; ++k) m = Math.max(m, z(k)); return m; },
  (z, n) => { let s = 0; for (let k = 0; k < n; ++k) s += z(k); return s; },
  (z, n) => { let s = 0, a = 0; for (let k = 0; k < n; ++k) { const v = z(k); s += a * v; a = v; } return s; },
  (z, n) => {
    let s = 0, a = 0, b = 0;
    for (let k = 0; k < n; ++k) { const v = z(k); s += b * a * v; b = a; a = v; }
    return s;
  },
];

const softmax = y => {
  const most = Math.max(...y), e = y.map(v => Math.exp(v - most)), sum = e.reduce((a, b) => a + b, 0);
  return e.map(v => v / sum);
};

const gops = (p, x, W) => {
  const of = psi[p.psi], f = activation[p.activation];
  let pooled = Array.from({length: p.units}, (_, j) => pool[p.terms](k => of(x[k], W[p.w + k * p.units + j]), p.inputs));
  if (p.norm) {
    const norm = Math.sqrt(pooled.reduce((s, v) => s + v * v, 0)) + 1e-6;
    pooled = pooled.map(v => v / norm);
  }
  return pooled.map((v, j) => {
    const a = f(Math.min(Math.max(v, -1e6), 1e6) + W[p.b + j]);
    return p.scale < 0 ? a : (a - W[p.shift + j]) * W[p.scale + j] + W[p.beta + j];
  });
};

const linear = (p, x, W) => Array.from({length: p.units}, (_, j) => {
  let sum = W[p.b + j];
  for (let k = 0; k < p.inputs; ++k) sum += (x[k] - (p.shift < 0 ? 0 : W[p.shift + k])) * W[p.w + k * p.units + j];
  return sum;
});

const bend = (x, knots, values) => {
  let k = 0;
  while (k < knots.length && knots[k] <= x) ++k;
  if (k === 0) return values[0];
  if (k === knots.length) return values[k - 1];
  return values[k - 1] + (x - knots[k - 1]) / (knots[k] - knots[k - 1]) * (values[k] - values[k - 1]);
};

const decodeWeights = text => {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0)), view = new DataView(bytes.buffer);
  return Float32Array.from({length: bytes.length / 4}, (_, i) => view.getFloat32(4 * i, true));
};

// A loaded model: encode(values) returns the features of a row, outputs(features) its probabilities or values.
const load = model => {
  const W = decodeWeights(model.weights);
  const scaled = raw => {
    const x = raw.map((v, j) => Math.min(Math.max((v - model.mean[j]) / model.scale[j], -10), 10));
    for (const c of model.curves) x[c.column] = bend(raw[c.column], c.knots, c.values);
    return x.map((v, j) => Number.isNaN(raw[j]) ? 0 : Math.fround(v));
  };
  const bounded = (v, j) => model.low.length ? Math.min(Math.max(v, model.low[j]), model.high[j]) : v;
  const network = (stages, x) => {
    for (const stage of stages) {
      const y = stage.pieces.flatMap(p => p.psi ? gops(p, x, W) : linear(p, x, W));
      x = stage.keeps_input ? y.concat(x) : y;
    }
    return model.classes ? x : x.map((v, j) => (bounded(v * model.target_scale[j] + model.target_mean[j], j) - model.target_mean[j]) / model.target_scale[j]);
  };
  const average = x => {
    if (model.networks.length === 1) return network(model.networks[0].stages, x);
    let sum = 0;
    for (const {weight, stages} of model.networks) {
      const y = network(stages, x), part = model.logits ? softmax(y) : y;
      sum = part.map((v, j) => (sum ? sum[j] : 0) + weight * v);
    }
    return model.logits ? sum.map(v => Math.log(Math.max(v, 1e-30))) : sum;
  };
  const outputs = raw => {
    const y = average(scaled(raw.map(Math.fround)));
    if (model.classes) return softmax(y.map(v => v * model.temperature));
    return y.map((v, j) => bounded(v * model.target_scale[j] + model.target_mean[j], j));
  };
  const encode = values => model.columns.flatMap((column, k) => encodeField(column, values[k]));
  return {outputs, encode};
};

// The digits of a target that is far from 0 compared with its spread; 0: the digits of a float are enough.
const digitsOf = (model, j) => {
  const ratio = Math.abs(model.target_mean[j]) / model.target_scale[j];
  return ratio > 4096 ? Math.min(17, 7 + Math.floor(Math.log10(ratio))) : 0;
};
const valueText = (model, v, j) => digitsOf(model, j) ? v.toPrecision(digitsOf(model, j)) : Math.fround(v).toPrecision(7);

const best = p => p.indexOf(Math.max(...p));

// Takes comments, and a line such as "sep=;", from the top of a CSV text. A line that begins with a category is a row.
const splitTop = (text, columns) => {
  const known = columns.flatMap(column => column.categories ?? []).filter(name => name.startsWith("#"));
  const isRow = () => known.some(name => text.startsWith(name) && /[,;\t| ]/.test(text[name.length] ?? ""));
  let comment = "";
  while (!isRow() && /^#(?![,;\t|]|n\/a|value!|ref!|div\/0!|num!|null!|name\?)[^\n]*\n/i.test(text)) {
    comment = text.slice(1, text.indexOf("\n"));
    text = text.slice(comment.length + 2);
  }
  const line = /^sep=(.)[ \t]*\r?\n/i.exec(text);
  return {comment, separator: line ? line[1] : "", text: line ? text.slice(line[0].length) : text};
};

// The most frequent separator of the first line with text, or blanks if several columns have no other. Decimal commas do not
// separate.
const findSeparator = (text, columns) => {
  const first = text.split("\n", 1)[0].trim() || (/^.*\S/m.exec(text) ?? [""])[0], line = trim(first.replace(/"[^"]*"/g, "x"));
  const count = c => line.split(c).length;
  const commas = columns[0].comma && (columns.length === 1 || /[;\t|]/.test(line));
  const best = [...(commas ? [] : [","]), ";", "\t", "|"].reduce((a, b) => count(b) > count(a) ? b : a);
  return count(best) === 1 && columns.length > 1 && line.includes(" ") ? " " : best;
};

const blanksToTabs = text => text.replace(/("[^"]*")|[ \t\r]+/g, (blanks, quoted, at) => {
  const inside = at > 0 && text[at - 1] !== "\n" && (text[at + blanks.length] ?? "\n") !== "\n";
  return quoted ?? (inside ? "\t" : "");
});

// Splits text into rows of fields; "..." may contain separators, line ends and "" for a quote.
const splitRows = (given, separator) => {
  const blanks = separator === " ", text = blanks ? blanksToTabs(given) : given, sign = blanks ? "\t" : separator;
  const rows = [[]];
  let field = "", quoted = false, closed = false;
  const end = () => { rows[rows.length - 1].push(closed ? field : trim(field)); field = ""; closed = false; };
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') field += c;
      else if (text[i + 1] === '"') { field += c; ++i; }
      else { quoted = false; closed = true; }
    } else if (c === '"' && field.trim() === "") { quoted = true; field = ""; }
    else if (c === sign) end();
    else if (c === "\n") { end(); rows.push([]); }
    else if (c !== "\r" && !(closed && /[ \t]/.test(c))) field += c;
  }
  end();
  return rows;
};

// Reads the rows of a CSV text, and the fields of the last comment above them, which may be names. close: the comment has no
// blank after #. In a table of one column, a blank line is a row; otherwise blank lines are allowed only above and below the rows.
const parseCsv = (given, columns) => {
  let end = given.length;
  while (end > 0 && " \r\n".includes(given[end - 1])) --end;
  const top = splitTop(given.slice(0, end).replace(/^\ufeff/, ""), columns);
  if (top.text === "") return {rows: [], comment: [], close: false};
  const separator = top.separator || findSeparator(top.text, columns), rows = splitRows(top.text, separator);
  const wide = rows.some(row => row.length > 1);
  const start = wide ? rows.findIndex(row => row.length > 1 || row[0] !== "") : 0;
  return {rows: rows.slice(start), comment: splitRows(top.comment, separator)[0], close: /^[^ \t\r#!]/.test(top.comment)};
};

// The positions of the model's columns in rows without names, by the rules of gopnet: the rows may include a target and the
// columns that training left out.
const placesOf = (model, width) => {
  const count = model.columns.length, order = Array.from({length: width}, (_, k) => k);
  if (width === count) return order;
  const place = name => /^x\d+$/.test(name) ? Number(name.slice(1)) : NaN;
  const known = [...model.columns.map(c => c.name), ...model.left_out].map(place);
  const placed = !known.some(Number.isNaN), all = placed ? known.length : count;
  let target = all;
  if (placed) for (target = 0; known.includes(target);) ++target;
  if (width === all + 1 && (placed || !model.left_out.length)) order.splice(target, 1);
  if (order.length !== all) throw new Error(`the rows have ${width} columns; the model expects ${count}`);
  const sorted = [...known].sort((a, b) => a - b);
  return placed ? known.slice(0, count).map(k => order[sorted.indexOf(k)]) : order;
};

// What the rows below show of a name made of digits. chance: that a row has a number such as the name.
const columnBelow = (name, texts) => {
  const known = texts.map(trim).filter(text => !blank(text)), values = known.map(text => number(text.replace(",", "."))).filter(v => !Number.isNaN(v));
  const numbers = values.length > 0 && values.length === known.length, whole = values.filter(Number.isInteger).length;
  const low = Math.min(...values), high = Math.max(...values), apart = Math.max(name - high, low - name) > high - low;
  return {numbers, fraction: numbers && whole < values.length, low, high, chance: texts.length < 6 ? 1 : ((apart ? 0 : whole) + 1) / (texts.length + 1)};
};

// Whether the first row holds names made of digits, such as years or 0, 1, 2, by the rules of gopnet.
const hasNumericNames = rows => {
  const [first, ...below] = rows.slice(0, 1000), names = first.map(Number), count = names.length;
  if (count < 2 || !below.length || !first.every(name => /^\d+$/.test(name)) || new Set(first).size < count) return false;
  const columns = names.map((name, k) => columnBelow(name, below.map(row => row[k])));
  const chance = columns.reduce((product, column) => product * column.chance, 1), odd = columns.filter(column => column.chance < 0.3).length;
  const growing = names.every((name, k) => !k || name > names[k - 1]), low = Math.min(...names);
  const evenly = growing && names.every((name, k) => name === names[0] + k * (names[1] - names[0]));
  const sequence = (count >= 3 && evenly) || Math.max(...names) - low === count - 1;
  const isYear = value => value >= 1800 && value <= 2200;
  const years = columns.every((c, k) => isYear(names[k]) && c.numbers && !isYear(c.low) && !isYear(c.high));
  const outside = columns.every((c, k) => names[k] < c.low || names[k] > c.high);
  if (years && (outside || (count >= 3 && growing))) return sequence || chance < 0.05;
  const fromZero = first.every((name, k) => name === String(k));
  if (count === 2) return fromZero && (chance < 0.01 || columns.some(column => column.fraction));
  return fromZero || (sequence && chance < (count === 3 && low > 1 ? 0.05 : 0.3) && 2 * odd > count && odd >= 2);
};

const areNames = fields => fields.length > 1 && fields.every((name, k) => Number.isNaN(number(name)) && !blank(name) && fields.indexOf(name) === k);

// The positions of the model's columns by the names in the first row or in the comment above it; otherwise null. Throws an
// error if these names are not those of the model.
const placesByName = (rows, comment, {columns}) => {
  const header = rows[0].map(name => name.trim()), find = names => columns.map(c => names.indexOf(c.name));
  const places = find(header), twice = header.find((name, k) => name && header.indexOf(name) < k);
  const all = places.every(p => p >= 0), known = places.filter(p => p >= 0).length;
  if (all && twice) throw new Error(`two columns are named '${twice}'`);
  if (all) return {places, header: true};
  const reads = (column, text) => { try { encodeField(column, text); return true; } catch { return false; } };
  const above = comment.length === header.length && areNames(comment);
  const isHeader = (known > 0 && 2 * known >= header.length) || hasNumericNames(rows) || (!above && columns.some((c, k) => !reads(c, header[k] ?? "")));
  const named = above && !isHeader ? find(comment) : places;
  const lacking = columns.filter((c, k) => named[k] < 0).map(c => c.name);
  if (lacking.length && (isHeader || above)) throw new Error("missing columns: " + lacking.slice(0, 5).map(n => `'${n}'`).join(", "));
  return above ? {places: named, header: false} : null;
};

// The fields of the model's columns in each row: by name if the model and the text have names, otherwise by position.
const pickColumns = ({rows, comment}, model) => {
  if (!rows.length) throw new Error("there are no rows");
  const uneven = rows.findIndex(row => row.length !== rows[0].length);
  if (uneven > 0) throw new Error(`row ${uneven + 1} has ${rows[uneven].length} fields; the first row has ${rows[0].length}`);
  const named = model.named ? placesByName(rows, comment, model) : null, places = named ? named.places : placesOf(model, rows[0].length);
  return (named && named.header ? rows.slice(1) : rows).map(row => places.map(p => row[p]));
};

// Whether numbers have decimal commas: as in training, unless most numbers with a sign cannot be read so.
const hasCommas = (columns, rows) => {
  const trained = columns[0].comma, sum = {commas: 0, points: 0, groups: 0, dots: 0};
  columns.forEach((column, k) => {
    if (column.text || column.date) return;
    const known = rows.map(row => trim(row[k])).filter(text => !blank(text));
    const bare = known.map(text => text.replace(/^[^-+.,\d]+|[^\d.,]+$/g, ""));
    const count = form => bare.filter(text => form.test(text)).length;
    const groups = count(/^[-+]?[1-9]\d{0,2},\d{3}$/), dots = count(/^[-+]?[1-9]\d{0,2}\.\d{3}$/);
    const commas = count(/^[-+]?\d*,\d+$/) - groups, points = count(/^[-+]?\d*\.\d+$/) - dots;
    if (commas + points + groups + dots + count(/^[-+]?\d+$/) < 0.95 * known.length) return;
    for (const [name, more] of Object.entries({commas, points, groups, dots})) sum[name] += more;
  });
  if (sum.commas && sum.points) throw new Error("the rows mix decimal commas and decimal points");
  return trained ? sum.points <= sum.groups + sum.dots : sum.commas > sum.groups;
};

// The number of fields with a category that training never saw, in columns without a feature for other categories.
const countUnknown = (columns, rows) => rows.reduce((sum, row) => sum + columns.filter((column, k) =>
  column.text && !column.other && !missing(trim(row[k])) && categoryOf(column, row[k]) < 0).length, 0);

const quoteCsv = text => /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;

// Whether a comment may be a row, such as #ff0000,1,2.
const mayBeRow = ({rows, comment, close}, model) => close && comment.length === rows[0].length && !(model.named && areNames(comment));

// Predicts the rows of a CSV text. Returns a header and, for each row, the label and probabilities, or the values.
const predictCsv = (model, loaded, text) => {
  const head = model.classes ? ["label", ...model.classes] : model.targets;
  const table = parseCsv(text, model.columns), rows = pickColumns(table, model), commas = hasCommas(model.columns, rows);
  const columns = model.columns.map(column => ({...column, commas})), unknown = countUnknown(columns, rows);
  const lines = rows.map((row, i) => {
    try {
      const out = loaded.outputs(columns.flatMap((column, k) => encodeField(column, row[k])));
      return model.classes ? [model.classes[best(out)], ...out.map(v => Math.fround(v).toPrecision(7))] : out.map((v, j) => valueText(model, v, j));
    } catch (error) {
      throw new Error(`row ${i + 1}: ${error.message}`);
    }
  });
  const notes = unknown ? [`${unknown} field${unknown > 1 ? "s hold categories" : " holds a category"} that training never saw`] : [];
  if (mayBeRow(table, model)) notes.push("a line that starts with # is skipped as a comment");
  return {head, lines, note: notes.join("; "), csv: () => [head, ...lines].map(line => line.map(quoteCsv).join(",")).join("\n") + "\n"};
};
