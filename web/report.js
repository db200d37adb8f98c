// Draws the page of a run or a comparison from its data, and redraws it while the run trains.

const quantile = (sorted, q) => {
  const at = q * (sorted.length - 1), low = Math.floor(at);
  return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (at - low);
};
// The linear baseline has only test scores.
const numbers = (system, key) => (system.algorithm === 'linear' && key !== 'test' ? [] : system.runs ?? []).map(run => run[key]).filter(isNumber).sort((a, b) => a - b);
const median = (system, key) => { const all = numbers(system, key); return all.length ? quantile(all, 0.5) : null; };

function boxPlots(systems, metric) {
  const width = wide(), label = Math.min(170, width * 0.36), row = 30;
  const range = axis(systems.flatMap(one => numbers(one, 'test')));
  if (!range) return canvas(width, 40, text(8, 24, 'no run has finished yet', {class: 'soft'}));
  const marks = ticks(range.low, range.high, Math.floor(width / 130)), right = 6 + widest(marks.map(tickWords), 11) / 2;
  const px = v => label + (v - range.low) / (range.high - range.low) * (width - label - right), bottom = systems.length * row + 4;
  const svg = canvas(width, bottom + 36);
  for (const v of marks) svg.append(s('line', {x1: px(v), x2: px(v), y1: 0, y2: bottom, class: 'grid'}),
    text(px(v), bottom + 14, tickWords(v), {class: 'tick middle'}));
  svg.append(text((label + width) / 2, bottom + 30, `test ${metric}`, {class: 'middle soft'}));
  systems.forEach((system, k) => {
    const all = numbers(system, 'test'), y = k * row + 17;
    svg.append(text(label - 8, y + 4, fitted(system.system, label - 8), {class: 'end'}));
    if (!all.length) return;
    const [low, middle, high] = [0.25, 0.5, 0.75].map(q => quantile(all, q));
    svg.append(s('g', {}, tip(`${system.system}: ${all.length} runs\nmedian ${middle}\nlowest ${all[0]}, highest ${all.at(-1)}`),
      s('line', {x1: px(all[0]), x2: px(all.at(-1)), y1: y, y2: y, class: 'whisker'}),
      s('rect', {x: px(low), y: y - 8, width: Math.max(2, px(high) - px(low)), height: 16, class: 'neurons'}),
      s('line', {x1: px(middle), x2: px(middle), y1: y - 8, y2: y + 8, class: 'whisker'})));
    for (const run of system.runs) if (isNumber(run.test)) svg.append(s('circle', {cx: px(run.test), cy: y, r: 3, class: 'dot c1'},
      tip(`${system.system}, seed ${run.seed}: ${run.test}`)));
  });
  return svg;
}

function comparisonSections(data) {
  const {metric, systems, best, data: sizes} = data.table, plan = data.plan ?? {};
  const bestScore = best ? median(systems.find(one => one.system === best), 'test') : null;
  const leaders = best ? systems.filter(one => median(one, 'test') === bestScore) : [];
  const head = ['system', 'runs', `test ${metric}`, 'lowest', 'highest', `val ${metric}`, 'layers', 'parameters', 'seconds'];
  const rows = systems.map(one => {
    const test = numbers(one, 'test');
    return [leaders.includes(one) ? h('strong', {}, one.system) : one.system, (one.runs ?? []).length, median(one, 'test'), test[0] ?? null, test.at(-1) ?? null,
      median(one, 'val'), median(one, 'layers'), median(one, 'parameters'), median(one, 'seconds')];
  });
  const runRows = [['system', 'seed', 'test', 'val', 'layers', 'parameters', 'seconds'], ...systems.flatMap(one =>
    (one.runs ?? []).map(run => [one.system, run.seed, run.test, run.val, run.layers, run.parameters, run.seconds]))];
  const timed = systems.map(one => ({name: one.system, points: [[median(one, 'seconds'), median(one, 'test'),
    `${one.system}\n${median(one, 'seconds')} s\ntest ${metric} ${median(one, 'test')}`]]})).filter(one => isNumber(one.points[0][0]) && one.points[0][0] > 0);
  const times = figure('score against training time (medians)', chart({series: timed, x: 'seconds per run', y: `test ${metric}`, log: true}), runRows);
  times.append(legend(timed));
  const source = plan.source ?? {};
  const failed = systems.flatMap(one => (one.runs ?? []).filter(run => run.error).map(run => [one.system, run.seed, run.error]));
  const lead = best ? `Comparison of ${systems.length} systems on ${fileName(source.train)}` +
    (sizes ? ` (${short(sizes.train)} training rows, ${short(sizes.test)} test rows)` : '') + (leaders.length > 1 ? `. ${leaders.length} systems tie for the best: ${leaders.map(one => one.system).join(', ')},`
    : `. The best is ${best}`) + ` with a median test ${metric} of ${short(bestScore)}.` : 'This page shows the runs that have finished so far.';
  return [h('p', {class: 'lead'}, lead),
    section('Results', table(head, rows), h('p', {class: 'note'}, 'The columns without lowest and highest are medians over the runs. The best is bold. ' +
      'val is optimistic because it chose the networks.'),
      failed.length ? table(['system', 'seed', 'error'], failed) : null),
    section('Spread and time', figures(figure(`test ${metric} of the runs`, boxPlots(systems, metric), runRows), times)),
    section('Parameters', h('div', {class: 'tall'}, table(['system', 'parameter', 'value'], Object.entries(plan.systems ?? {}).flatMap(([name, system]) =>
      Object.entries(system.parameters ?? {}).map(([key, value]) => [name, key, String(value ?? 'none')]))))),
    data.command ? section('Reproduce this comparison', h('p', {class: 'note'}, 'This command gives the same scores:'), h('pre', {}, data.command)) : null];
}

function progressWords(data) {
  const search = data.journal.searches.at(-1);
  if (!search) return 'Training has started.';
  const best = ranked(search, data.journal.direction)[0], spent = `${short(data.journal.seconds)} s so far.`;
  if (data.journal.networks) return `Training the ensemble: ${data.journal.networks} networks are finished; ${spent}`;
  return `Training layer ${search.layer}: ${search.candidates.length} operator sets tried` +
    (best ? `, best ${setName(best.set)} with ${data.journal.metric} ${short(last(best)[1])}` : '') + `; ${spent}`;
}

// Draws a section. An error, e.g. from a file of another version, leaves the other sections intact.
function drawn(make, data) {
  try {
    return make(data);
  } catch (error) {
    console.error(error);
    return h('p', {class: 'note'}, `This section (${make.name}) cannot be shown: ${error.message}`);
  }
}

function runSections(data) {
  return [h('p', {class: 'lead'}, leadSentence(data)), data.finished ? null : h('p', {class: 'live'}, data.live ? progressWords(data) : 'This run has not finished.'),
    ...[resultSection, networkSection, searchSection, curveSection, layerSection, errorSection, memorySection, importanceSection,
      columnSection, timeSection, parameterSection, commandSection].map(make => drawn(make, data))];
}

function render(data, message) {
  const title = `gopnet: ${data.name}`, at = [window.scrollX, window.scrollY];
  document.title = title;
  const parts = data.kind === 'compare' ? comparisonSections(data) : runSections(data);
  document.querySelector('main').replaceChildren(h('h1', {}, title), ...(message ? [h('p', {class: 'live'}, message)] : []),
    ...parts.filter(part => part), h('p', {class: 'note'}, `gopnet ${data.version}`));
  window.scrollTo(...at);
}

// Asks for news every second. The program limits how often it reads the files, so watching does not slow training down.
async function watch(data) {
  let known = '', more = 2; // report.json is the last file of a run
  while (!data.finished || (data.kind === 'run' && !data.report && more-- > 0)) {
    await new Promise(done => setTimeout(done, 1000));
    let news;
    try {
      const answer = await fetch('data.json', {cache: 'no-store'});
      if (!answer.ok) throw new Error(answer.statusText);
      news = await answer.text();
    } catch {
      return render(data, 'The training program has ended. This page shows its last state.');
    }
    if (news === known) continue;
    known = news;
    data = {...JSON.parse(news), live: true};
    render(data);
  }
}

const shown = JSON.parse(document.getElementById('data').textContent);
render(shown);
let drawnNarrow = narrow();
window.addEventListener('resize', () => { if (!shown.live && narrow() !== drawnNarrow) { drawnNarrow = narrow(); render(shown); } });
if (shown.live) watch(shown);
