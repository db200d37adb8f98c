const model = JSON.parse(document.getElementById("model").textContent);
const loaded = load(model), $ = id => document.getElementById(id);
const maxShown = 200, maxBars = 20;

// Names of columns and classes stay text, whatever characters they contain.
const element = (tag, text = "", properties = {}) => Object.assign(document.createElement(tag), {textContent: text}, properties);
const short = v => Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toExponential(3) : String(Number(v.toPrecision(5)));

const another = "(other)";
const dateText = (column, days) => {
  const [y, m, d, hour, minute] = new Date(days * 864e5).toISOString().split(/\D/), part = {y, m, d};
  return [...column.date].map(letter => part[letter]).join("-") + (column.hours ? ` ${hour}:${minute}` : "");
};

// Each column with its initial value and, for numbers, the range of its slider.
let place = 0;
const columns = model.columns.map(column => {
  const first = place, count = column.features - (column.indicator ? 1 : 0), offset = column.offset;
  place += column.features;
  if (column.date) return {...column, value: dateText(column, model.mean[first + count - 1] + offset)};
  const curve = model.curves.find(c => c.column === first), mean = model.mean[first], scale = model.scale[first];
  const range = (curve ? [curve.knots[0], curve.knots.at(-1)] : [mean - 3 * scale, mean + 3 * scale]).map(v => v + offset);
  const start = (curve ? curve.knots[curve.knots.length >> 1] : mean) + offset;
  const likely = column.categories[best(model.mean.slice(first, first + count))] ?? another;
  return {...column, range, value: column.text ? likely : start};
});
const outputs = values => loaded.outputs(loaded.encode(values));
const current = () => columns.map(c => c.value);
let touched = columns[0];

const bar = (name, share, text, top) => {
  const row = element("div", "", {className: top ? "bar top" : "bar"}), back = element("div"), front = element("div");
  front.style.width = 100 * share + "%";
  back.append(front);
  row.append(element("span", name, {title: name}), back, element("b", text));
  return row;
};

const shortValue = (v, j) => model.targets && digitsOf(model, j) ? valueText(model, v, j) : short(v);
const showResult = out => {
  const order = out.map((_, j) => j);
  if (model.classes && out.length > maxBars) order.sort((a, b) => out[b] - out[a]).splice(maxBars);
  const top = best(out);
  $("result").replaceChildren(...order.map(j => model.classes ? bar(model.classes[j], out[j], (100 * out[j]).toFixed(1) + "%", j === top)
    : element("p", `${model.targets[j]}: ${shortValue(out[j], j)}`, {className: "top"})));
};

const columnText = (column, v) => column.offset ? String(Number(v.toPrecision(15))) : short(v);
const svg = (tag, attributes) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};

// Plots the probability of the likeliest class, or the first target, against the column that the user changed last.
const showCurve = out => {
  if (!touched.range || touched.text || touched.value === "") return $("curve").replaceChildren(), $("curve-text").textContent = "";
  const [low, high] = touched.range, steps = 60, j = model.classes ? best(out) : 0;
  const at = k => low + (high - low) * k / steps;
  const y = Array.from({length: steps + 1}, (_, k) => outputs(columns.map(c => c === touched ? at(k) : c.value))[j]);
  const least = model.classes ? 0 : Math.min(...y), most = model.classes ? 1 : Math.max(...y), room = most - least || 1;
  const box = svg("svg", {viewBox: "0 0 100 100", preserveAspectRatio: "none"});
  const x = 100 * (touched.value - low) / (high - low || 1);
  box.append(svg("line", {x1: x, x2: x, y1: 0, y2: 100}),
             svg("path", {d: y.map((v, k) => `${k ? "L" : "M"}${100 * k / steps} ${98 - 96 * (v - least) / room}`).join("")}));
  $("curve").replaceChildren(box);
  $("curve-text").textContent = `${model.classes ? "Probability of " + model.classes[j] : model.targets[0]} from ${shortValue(least, 0)} to ${shortValue(most, 0)}, `
    + `${touched.name} from ${columnText(touched, low)} to ${columnText(touched, high)}`;
};

const update = () => {
  const out = outputs(current());
  showResult(out);
  showCurve(out);
};

// The page enters times and durations as hours.
const unitOf = column => column.unit.startsWith("h:mm") ? "hours: 13.5 is 13:30" : column.unit;

const control = column => {
  const row = element("label", "", {className: "feature"}), name = element("span", column.name, {title: column.name});
  if (column.unit) name.append(element("small", unitOf(column)));
  row.append(name);
  if (column.text) {
    const select = element("select");
    for (const category of [...column.categories, another]) select.append(new Option(category, category, false, category === column.value));
    select.append(new Option("(blank)", ""));
    select.addEventListener("input", () => { column.value = select.value; touched = column; update(); });
    row.append(select);
    return row;
  }
  if (column.date) {
    const field = element("input", "", {type: "text", value: column.value, title: `date in the order ${column.date}` + (column.hours ? ", followed by a time: 13:30" : "")});
    field.addEventListener("input", () => {
      const value = field.value;
      try { encodeField(column, value); field.classList.remove("error"); } catch { return field.classList.add("error"); }
      column.value = value; touched = column; update();
    });
    row.append(field);
    return row;
  }
  const [low, high] = column.range;
  const slider = element("input", "", {type: "range", min: low, max: high, step: "any", value: column.value});
  const number = element("input", "", {type: "number", step: "any", value: columnText(column, column.value)});
  slider.addEventListener("input", () => { column.value = Number(slider.value); number.value = columnText(column, column.value); touched = column; update(); });
  number.addEventListener("input", () => {
    if (number.validity.badInput) return;
    column.value = number.value === "" ? "" : Number(number.value); slider.value = column.value; touched = column; update();
  });
  row.append(slider, number);
  return row;
};

let answer = null;
const showTable = () => {
  const table = element("table"), head = element("tr");
  head.append(element("th", "row"), ...answer.head.map(name => element("th", name, {title: name})));
  table.append(head);
  answer.lines.slice(0, maxShown).forEach((line, i) => {
    const row = element("tr");
    row.append(element("td", String(i + 1)), ...line.map(text => element("td", text)));
    table.append(row);
  });
  $("table").replaceChildren(table);
};
const predictRows = text => {
  $("table").replaceChildren();
  $("save").hidden = true;
  try {
    answer = predictCsv(model, loaded, text);
    showTable();
    $("save").hidden = false;
    $("status").className = "";
    $("status").textContent = `${answer.lines.length} row${answer.lines.length === 1 ? "" : "s"}`
      + (answer.lines.length > maxShown ? `; the table shows the first ${maxShown}` : "") + (answer.note ? `; ${answer.note}` : "");
  } catch (error) {
    $("status").className = "error";
    $("status").textContent = error.message;
  }
};
const predictFile = async file => file && predictRows(await file.text());

$("predict").addEventListener("click", () => predictRows($("rows").value));
$("file").addEventListener("change", () => predictFile($("file").files[0]));
$("save").addEventListener("click", () => {
  const link = element("a", "", {href: URL.createObjectURL(new Blob([answer.csv()], {type: "text/csv"})), download: "predictions.csv"});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, event => {
    event.preventDefault();
    $("drop").classList.toggle("over", kind === "dragover");
    if (kind === "drop") predictFile(event.dataTransfer.files[0]);
  });
}
const first = (names, count) => names.slice(0, count).join(", ") + (names.length > count ? ", ..." : "");
const plural = (count, word, many = word + "s") => `${count} ${count === 1 ? word : many}`;
const target = first(model.target ?? [], 3), title = target ? `${target} \u2014 try the model` : "Try the model";
document.title = document.querySelector("h1").textContent = title;
$("about").textContent = (model.classes ? `Predicts ${target || "the class"} (${plural(model.classes.length, "class", "classes")}: ${first(model.classes, 8)})`
  : `Predicts ${target || plural(model.targets.length, "value")}`) + ` from ${plural(model.columns.length, "column")}`
  + (model.named ? `: ${first(model.columns.map(c => c.name), 8)}` : "")
  + `. Trained with gopnet (${model.algorithm}, ${plural(model.networks.length, "network")})${model.data ? ` on ${model.data}` : ""}.`;
if (model.named) $("rows").placeholder = model.columns.map(c => c.name).join(",").slice(0, 500);
$("features").append(...columns.map(control));
update();
