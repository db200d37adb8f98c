// Sections about a finished run: its errors, columns, time, parameters and command.

function confusionMatrix(cells, classes) {
  const names = classes.map(name => fitted(String(name), 84, 11)), label = 8 + widest(names, 11);
  const n = classes.length, size = Math.max(11, Math.min(34, Math.floor((Math.min(room(), 650) - label - 8) / n)));
  const upright = size >= 34 && widest(names, 11) < size, top = upright ? 34 : 24 + widest(names, 11);
  const rows = new Array(n).fill(0);
  for (const [truth, , count] of cells) if (truth >= 0) rows[truth] += count;
  const svg = canvas(Math.max(label + n * size + 8, label + 80), top + n * size + 8, text(label, 12, 'predicted →', {class: 'soft'}),
    s('rect', {x: label, y: top, width: n * size, height: n * size, class: 'box'}));
  svg.classList.add('matrix');
  names.forEach((name, k) => {
    const middle = (k + 0.5) * size;
    svg.append(text(label - 5, top + middle + 4, name, {class: 'tick end'}),
      upright ? text(label + middle, top - 5, name, {class: 'tick middle'})
        : text(0, 0, name, {class: 'tick', transform: `translate(${label + middle + 4} ${top - 5}) rotate(-90)`}));
  });
  for (const [truth, predicted, count] of cells) {
    if (truth < 0) continue;
    const x = label + predicted * size, y = top + truth * size;
    svg.append(s('g', {class: 'cell'}, tip(`true ${classes[truth]}, predicted ${classes[predicted]}: ${count} of ${rows[truth]} rows`),
      s('rect', {x, y, width: size, height: size, class: truth === predicted ? 'heat' : 'heat miss', 'fill-opacity': (0.08 + 0.6 * count / rows[truth]).toFixed(3)}),
      size >= 16 && textWidth(String(count), 10) < size - 2 ? text(x + size / 2, y + size / 2 + 4, count,
        {class: 'middle' + (textWidth(String(count)) < size - 2 ? '' : ' small')}) : null));
  }
  return svg;
}

function confusionFigure(report, classes) {
  const caption = `confusion matrix of the ${report.rows} rows`;
  const rows = [['true', 'predicted', 'rows'], ...report.confusion.map(([t, p, count]) => [t < 0 ? '' : classes[t], classes[p], count])];
  if (classes.length <= 100) return figure(caption, confusionMatrix(report.confusion, classes), rows);
  const pairs = report.confusion.filter(([t, p]) => t >= 0 && t !== p).sort((a, b) => b[2] - a[2]).slice(0, 30)
    .map(([t, p, count]) => ({name: `${classes[t]} → ${classes[p]}`, value: count, words: `true ${classes[t]}, predicted ${classes[p]}: ${count} rows`}));
  return figure(`most confused of ${classes.length} classes (true → predicted), ${report.rows} rows`, bars(pairs), rows);
}

function reliabilityFigure(report) {
  const points = report.reliability.filter(bin => bin[0] > 0).map(([rows, sure, right]) => [sure, right, `${rows} rows: confidence ${sure}, accuracy ${right}`]);
  return figure('reliability: accuracy by confidence', chart({series: [{name: 'rows', line: true, points}], x: 'confidence', y: 'accuracy', diagonal: true}),
    [['rows', 'confidence', 'accuracy'], ...report.reliability]);
}

function pairFigures(report, names) {
  return report.pairs.slice(0, 8).flatMap((pair, k) => {
    const name = names[k] ?? `target ${k + 1}`, rows = [['true', 'predicted'], ...pair.true.map((t, i) => [t, pair.predicted[i]])];
    const points = pair.true.map((t, i) => [t, pair.predicted[i], `true ${t}\npredicted ${pair.predicted[i]}`]);
    const residuals = pair.true.map((t, i) => [pair.predicted[i], pair.predicted[i] - t, `predicted ${pair.predicted[i]}\nresidual ${pair.predicted[i] - t}`]);
    return [figure(`${name}: predicted against true, ${report.rows} rows`, chart({series: [{name, points}], x: 'true', y: 'predicted', diagonal: true}), rows),
      figure(`${name}: residuals`, chart({series: [{name: 'residual', points: residuals}], x: 'predicted', y: 'predicted − true'}),
        [['predicted', 'residual'], ...residuals.map(p => p.slice(0, 2))])];
  });
}

function errorSection(data) {
  const report = data.report;
  if (!report || !data.model) return null;
  const made = report.pairs ? pairFigures(report, data.model.targets) : [confusionFigure(report, data.model.classes), reliabilityFigure(report)];
  const part = report.pairs && report.pairs[0].true.length < report.count ? ` The figures show ${short(report.pairs[0].true.length)} of them.` : '';
  return section('Errors', h('p', {class: 'note'}, `Measured on ${short(report.count)} ${report.rows} rows.${part}`), figures(...made));
}

function memorySection(data) {
  const memory = data.report?.memory;
  if (!memory) return null;
  let sum = 0;
  const points = memory.energy.map((share, k) => { sum += share; return [k + 1, Number(sum.toPrecision(6)), `axis ${k + 1}: ${share}\nup to here: ${sum.toPrecision(4)}`]; });
  return section('Memory', figures(figure(`share of the input's variance in the ${memory.type.toUpperCase()} axes of layer 1`,
    chart({series: [{name: 'share', line: true, points}], x: 'axes', y: 'share of the variance', whole: true}), [['axis', 'share'], ...memory.energy.map((e, k) => [k + 1, e])])));
}

function parseCsv(words) {
  const rows = [[]];
  for (const match of words.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g)) {
    if (match[0] === '') break;
    rows.at(-1).push(match[1].startsWith('"') ? match[1].slice(1, -1).replaceAll('""', '"') : match[1]);
    if (match[2] !== ',') rows.push([]);
  }
  return rows.filter(row => row.length > 1 || row[0]);
}

function importanceSection(data) {
  if (!data.importance) return null;
  const [head, ...rows] = parseCsv(data.importance), at = name => head.indexOf(name);
  const items = rows.map(row => ({name: row[at('name')], value: Number(row[at('mean')]), spread: Number(row[at('std')] ?? 0)}))
    .filter(item => isNumber(item.value)).sort((a, b) => b.value - a.value)
    .map(item => ({...item, words: `${item.name}: ${item.value}${item.spread ? `, standard deviation ${item.spread}` : ''}`}));
  return items.length ? section('Column importance', figures(figure(`permutation importance${items.length > 30 ? ', the first 30' : ''}`, bars(items.slice(0, 30)), [head, ...rows]))) : null;
}

function columnSection(data) {
  const reported = data.report?.columns ?? data.metrics?.columns ?? data.config?.columns;
  if (Array.isArray(reported) && reported.length && typeof reported[0] === 'object') {
    const head = [...new Set(reported.flatMap(Object.keys))];
    const cell = value => value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
    return section('Columns', h('div', {class: 'tall'}, table(head, reported.map(one => head.map(name => cell(one[name]))))));
  }
  if (!data.columns?.length) return null;
  return section('Columns', h('div', {class: 'tall'}, table(['column', 'kind'],
    data.columns.map(one => [one.name, one.kind === 'category' ? `text with ${one.categories} categories` : one.kind]))));
}

function timeSection(data) {
  const {metrics, journal} = data;
  const items = [];
  if (isNumber(metrics?.seconds?.load)) items.push({name: 'reading the rows', value: metrics.seconds.load});
  const layers = journal.layers.length ? journal.layers : (metrics?.layers ?? []).map((layer, k) => ({layer: k + 1, accepted: true, seconds: layer.search?.seconds}));
  for (const layer of layers) if (isNumber(layer.seconds)) items.push({name: `layer ${layer.layer}${layer.accepted ? '' : ' (rejected)'}`, value: layer.seconds});
  if (metrics?.finetune?.epochs > 0) items.push({name: 'fine-tuning', value: metrics.finetune.seconds});
  const known = items.slice(isNumber(metrics?.seconds?.load) ? 1 : 0).reduce((sum, item) => sum + item.value, 0);
  const rest = metrics?.seconds?.total - known;
  if (rest > 0) items.push({name: metrics.members ? 'networks, evaluation' : 'other', value: rest});
  if (!items.length) return null;
  const total = metrics ? `${short(metrics.seconds.total)} s in total, after ${short(metrics.seconds.load)} s to read the rows.` : `${short(journal.seconds)} s so far.`;
  return section('Time', h('p', {class: 'note'}, total), figures(figure('seconds per stage', bars(items, ' s'), [['stage', 'seconds'], ...items.map(i => [i.name, i.value])])));
}

function parameterSection(data) {
  const {parameters, source, simd, version} = data.config;
  const words = value => Array.isArray(value) ? value.join(', ') : value === null ? 'none' : String(value);
  const rows = Object.entries({...parameters, ...data.metrics?.chosen}).map(([name, value]) => [name, words(value)]);
  return section('Parameters', h('div', {class: 'tall'}, table(['parameter', 'value'],
    [...rows, ...Object.entries(source ?? {}).map(([name, value]) => [`rows: ${name}`, value]), ['simd', simd], ['version', version]])));
}

function commandSection(data) {
  return data.command ? section('Reproduce this run', h('p', {class: 'note'}, 'With the same version and the same rows, this command gives the same model, byte for byte:'),
    h('pre', {}, data.command)) : null;
}
