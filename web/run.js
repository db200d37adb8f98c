// The sections of a run. Each function returns null if there is nothing to show.

const section = (title, ...content) => h('section', {id: title.toLowerCase().replace(/[^a-z]+/g, '-')}, h('h2', {}, title), ...content);
const figures = (...list) => h('div', {class: 'figures'}, list.filter(one => one));
const mainMetric = task => task === 'regression' ? 'r2' : 'accuracy';
const fileName = path => path ? path.split('/').pop() : 'the training rows';

function leadSentence(data) {
  const {config, metrics} = data, model = data.model || {};
  const task = metrics?.task ?? model.task, name = mainMetric(task);
  const memory = config.parameters?.memory, sizes = metrics?.data ?? config.data;
  const targets = task === 'regression' ? `${model.outputs ?? ''} target${model.outputs > 1 ? 's' : ''}` : `${model.outputs ?? '?'} classes`;
  const words = [`${config.algorithm}${memory && memory !== 'none' ? ` with ${memory.toUpperCase()} memory` : ''}`,
    `${model.members ? ` (${model.members.length} networks)` : ''}, trained on ${short(sizes.train)} rows of ${fileName(config.source?.train)}`,
    ` (${short(sizes.features)} features, ${targets})`];
  if (!metrics) return words.join('') + '.';
  const part = ['test', 'val'].find(set => isNumber(metrics.metrics?.[set]?.[name])) ?? 'train';
  const reached = metrics.metrics?.[part]?.[name], simple = (metrics.baseline ?? metrics.yardsticks)?.linear?.[name];
  if (isNumber(reached)) words.push(`: ${part} ${name} ${short(reached)}`);
  if (isNumber(simple)) words.push(` (linear model: ${short(simple)})`);
  return words.join('') + '.';
}

// The training loss differs from log_loss if rows have weights, or if it is the squared error.
const repeatsLogLoss = sets => sets.some(values => isNumber(values.log_loss)) &&
  sets.every(({loss, log_loss = loss}) => short(loss) === short(log_loss));

function resultSection(data) {
  const metrics = data.metrics;
  if (!metrics) return null;
  const simple = metrics.baseline ?? metrics.yardsticks ?? {};
  const sets = {...metrics.metrics};
  for (const name of ['linear', 'constant']) if (simple[name]) sets[`${name} model`] = simple[name];
  const filled = Object.entries(sets).filter(([, values]) => Object.keys(values).length);
  const shown = repeatsLogLoss(filled.map(([, values]) => values))
    ? filled.map(([set, {loss, log_loss = loss, ...rest}]) => [set, {...rest, log_loss}]) : filled;
  const names = [...new Set(shown.flatMap(([, values]) => Object.keys(values)))].filter(name => shown.some(([, v]) => isNumber(v[name])));
  const note = metrics.data?.test > 0 ? 'val is optimistic because it chose the network; test is not. The linear and constant models are measured on the test rows.'
    : Object.keys(metrics.metrics?.val ?? {}).length ? 'val is optimistic because it chose the network; there were no test rows.'
    : 'train is optimistic because the network learned from these rows.';
  return section('Results', table(['', ...names], shown.map(([set, values]) => [set, ...names.map(name => values[name] ?? null)])),
    h('p', {class: 'note'}, note),
    metrics.stopped ? h('p', {}, `Growth stopped: ${metrics.stopped}.`) : null);
}

const last = candidate => candidate.points.at(-1);

// The best candidates first: by epochs trained, then by score, then by loss.
function ranked(search, direction) {
  return search.candidates.filter(c => c.points.length).sort((a, b) =>
    last(b)[0] - last(a)[0] || direction * (last(b)[1] - last(a)[1]) || last(a)[2] - last(b)[2]);
}

function candidateWords(c, metric) {
  const end = last(c);
  return setName(c.set) + (end ? `\n${metric} ${end[1]}\nloss ${end[2]}\nepochs ${end[0]}` : '') + (c.diverged ? '\ndiverged' : '');
}

// One facet per activation, with nodal operators in rows and pool operators in columns. The shade is the rank among all.
function heatMap(search, journal, operators, chosen) {
  const used = k => new Set(search.candidates.map(c => c.set[k]));
  const names = (kind, k) => operators.filter(op => op.kind === kind && (op.in_paper || used(k).has(op.name))).map(op => op.name);
  const nodals = names('nodal', 0), pools = names('pool', 1), activations = [...names('activation', 2)].filter(a => used(2).has(a));
  const cell = {w: 58, h: 30}, label = 92, head = 36, columns = narrow() ? 1 : 3;
  const facet = {w: pools.length * cell.w + 12, h: nodals.length * cell.h + head + 12};
  const order = ranked(search, journal.direction), place = new Map(order.map((c, k) => [setName(c.set), k]));
  const svg = canvas(label + Math.min(columns, activations.length) * facet.w, Math.ceil(activations.length / columns) * facet.h);
  activations.forEach((activation, f) => {
    const x0 = label + f % columns * facet.w, y0 = Math.floor(f / columns) * facet.h;
    svg.append(text(x0, y0 + 14, activation, {class: 'strong'}));
    pools.forEach((pool, p) => svg.append(text(x0 + (p + 0.5) * cell.w, y0 + head - 6, pool.replace('correlation', 'corr. '), {class: 'tick middle small'})));
    if (f % columns === 0) nodals.forEach((nodal, n) => svg.append(text(label - 6, y0 + head + n * cell.h + 19, nodal, {class: 'end'})));
    for (const c of search.candidates.filter(one => one.set[2] === activation)) {
      const x = x0 + pools.indexOf(c.set[1]) * cell.w, y = y0 + head + nodals.indexOf(c.set[0]) * cell.h, end = last(c);
      const rank = place.get(setName(c.set));
      const shade = rank === undefined ? 0 : 0.06 + 0.64 * (1 - rank / Math.max(1, order.length - 1)) ** 2;
      svg.append(s('g', {class: 'cell'}, tip(candidateWords(c, journal.metric)),
        s('rect', {x, y, width: cell.w - 2, height: cell.h - 2, class: 'heat', 'fill-opacity': shade.toFixed(3)}),
        chosen.has(setName(c.set)) ? s('rect', {x, y, width: cell.w - 2, height: cell.h - 2, class: 'chosen'}) : null,
        text(x + cell.w / 2 - 1, y + 13, end ? short(Number(end[1].toPrecision(3))) : '–', {class: 'middle'}),
        text(x + cell.w / 2 - 1, y + 25, end ? `${end[0]} ep` : 'diverged', {class: 'middle small'})));
    }
  });
  return svg;
}

function searchRows(search, metric) {
  const rows = [['nodal', 'pool', 'activation', 'epochs', metric, 'loss', 'diverged']];
  for (const c of search.candidates) for (const p of c.points.length ? c.points : [[]]) rows.push([...c.set, ...[p[0], p[1], p[2]], Boolean(c.diverged)]);
  return rows;
}

const searchName = (search, journal) => `layer ${search.layer}` + (journal.searches.some(one => one.variant > 0) ? `, variant ${search.variant + 1}` : '');

function chosenSets(data, layer) {
  const nets = data.model ? data.model.members || [data.model] : [];
  return new Set(nets.flatMap(net => net.layers[layer - 1]?.blocks ?? []).map(block => setName(block.operator_set)));
}

function searchSection(data) {
  const journal = data.journal;
  if (!journal.searches.length) return null;
  const maps = journal.searches.map(search => figure(`${searchName(search, journal)}: ${journal.metric} of the operator sets`,
    heatMap(search, journal, data.operators, chosenSets(data, search.layer)), searchRows(search, journal.metric)));
  return section('Operator search', h('p', {class: 'note'}, `Each cell is an operator set: rows are nodal operators, columns are pool operators. It shows the ` +
    `validation score (${journal.metric}) and the epochs trained. A stronger colour means a better rank. The model uses the framed sets.`),
    figures(...maps));
}

function curveSection(data) {
  const journal = data.journal, found = [];
  for (const search of journal.searches) {
    const series = ranked(search, journal.direction).filter(c => c.points.length > 1).slice(0, 8).map(c => ({name: setName(c.set), line: true,
      points: c.points.map(p => [p[0], p[1], `${setName(c.set)}\n${p[0]} epochs: ${journal.metric} ${p[1]}, loss ${p[2]}`])}));
    if (!series.length) continue;
    const made = figure(`${searchName(search, journal)}: learning curves of the best candidates`, chart({series, x: 'epochs', y: journal.metric, whole: true}), searchRows(search, journal.metric));
    made.append(legend(series));
    found.push(made);
  }
  const tuned = data.report?.finetune;
  if (tuned) found.push(figure('fine-tuning', chart({series: [{name: 'fine-tuning', line: true, dots: tuned.length < 200, points: tuned}], x: 'epoch', y: journal.metric, whole: true}),
    [['epoch', journal.metric], ...tuned]));
  return found.length ? section('Learning curves', figures(...found)) : null;
}

function layerSection(data) {
  const {metrics, journal} = data, layers = metrics?.layers ?? journal.layers.filter(layer => layer.accepted);
  const measure = layer => [journal.metric, mainMetric(metrics?.task)].find(name => isNumber(layer?.val?.[name]));
  const name = measure(layers[0]), found = [];
  if (name) {
    const points = part => layers.map((layer, k) => [k + 1, layer[part]?.[name], `layer ${k + 1}, ${setName(layer.operator_set)}\n${part} ${name} ${layer[part]?.[name]}`]);
    const series = ['val', 'train'].map(part => ({name: part, line: true, points: points(part)})).filter(one => one.points.some(p => isNumber(p[1])));
    const out = metrics?.rejected;
    if (isNumber(out?.val?.[name])) series.push({name: 'rejected', points: [[layers.length + 1, out.val[name], `rejected: ${setName(out.operator_set)}\nval ${name} ${out.val[name]}`]]});
    const most = layers.length + (series.at(-1).name === 'rejected' ? 1 : 0);
    const made = figure(data.model?.members ? 'score per layer of the best network' : 'score per layer',
      chart({series, x: 'layer', y: name, xTicks: Array.from({length: most}, (_, k) => k + 1)}),
      [['layer', 'set', name], ...series.flatMap(one => one.points.map(p => [p[0], one.name, p[1]]))]);
    made.append(legend(series));
    found.push(made);
  }
  const members = metrics?.members?.map((m, k) => ({name: `${k + 1}: ${setName(m.operator_set) || 'linear'}`, value: m.val?.[name] ?? NaN,
    words: `network ${k + 1}, weight ${m.weight}\n${setName(m.operator_set)}\nval ${name} ${m.val?.[name]}`})).filter(m => isNumber(m.value));
  if (members?.length) found.push(figure(`val ${name} of the networks, labelled with the operator set of the first layer`, bars(members), [['network', name], ...members.map(m => [m.name, m.value])]));
  return found.length ? section('Score per layer', figures(...found)) : null;
}
