// Draws the network from the features at the top to the output at the bottom, each layer beside its memory. A bar shows the
// values that a layer passes on, and so whether the output uses the last memory (POPmem-O) or not (POPmem-H).

const setName = set => set && set.length ? set.join('/') : '';

// "40 in 2 blocks: dog/sum/tanh"; combines blocks with the same operator set.
function blockLines(layer) {
  const counts = new Map();
  for (const block of layer.blocks) {
    const key = setName(block.operator_set);
    const known = counts.get(key) || {units: 0, blocks: 0};
    counts.set(key, {units: known.units + block.units, blocks: known.blocks + 1});
  }
  const lines = [...counts].map(([name, n]) => layer.blocks.length === 1 ? name
    : `${n.units} in ${n.blocks} block${n.blocks > 1 ? 's' : ''}: ${name}`);
  return lines.length > 7 ? [...lines.slice(0, 6), `and ${lines.length - 6} more operator sets`] : lines;
}

function formulaLines(set, operators) {
  const kinds = [['nodal', 'ψ(y, w)'], ['pool', 'ρ(z)'], ['activation', 'f(x)']];
  return kinds.map(([kind, sign], k) => {
    const found = operators.find(op => op.kind === kind && op.name === set[k]);
    return found ? `${sign} = ${found.formula}` : '';
  }).filter(line => line);
}

function panel(x, y, width, kind, lines) {
  const height = 12 + lines.length * 17;
  const shown = lines.map((line, k) => text(x + width / 2, y + 20 + k * 17, fitted(line, width - 12),
    {class: k === 0 ? 'middle strong' : 'middle'}));
  return {bottom: y + height, svg: s('g', {}, tip(lines.join('\n')), s('rect', {x, y, width, height, rx: 6, class: kind}), ...shown)};
}

const arrow = (x, from, to, kind) => s('g', {}, s('line', {x1: x, x2: x, y1: from, y2: to - 5, class: 'path ' + (kind || '')}),
  s('path', {d: `M${x - 4} ${to - 7}L${x + 4} ${to - 7}L${x} ${to}Z`, class: 'arrow'}));

function memoryLines(layer) {
  const lines = [];
  if (layer.memory.dims > 0) lines.push('memory', `${layer.memory.type.toUpperCase()}, ${layer.memory.dims} axes`);
  if (layer.keeps_input) lines.push('its input', `${layer.inputs} values`);
  return lines;
}

function drawNetwork(net, inputs, outputs, operators) {
  const svg = canvas(350, 10), gap = 26;
  const bar = (y, words) => {
    svg.append(s('rect', {x: 5, y, width: 340, height: 22, rx: 4, class: 'box'}), text(175, y + 15, words, {class: 'middle'}));
    return y + 22;
  };
  let y = bar(5, `${inputs} features`);
  net.layers.forEach((layer, k) => {
    const lines = [`layer ${k + 1}: ${layer.units} neurons`, ...blockLines(layer)];
    if (layer.blocks.length === 1) lines.push(...formulaLines(layer.operator_set, operators));
    const beside = memoryLines(layer), width = beside.length ? 218 : 340, middle = 5 + width / 2, top = y + gap;
    const neurons = panel(5, top, width, 'neurons', lines);
    svg.append(arrow(middle, y, top), neurons.svg);
    if (beside.length) {
      const memory = panel(235, top, 110, 'memory', beside);
      svg.append(arrow(290, y, top, 'remembers'), memory.svg, arrow(290, memory.bottom, neurons.bottom + gap, 'remembers'));
    }
    svg.append(arrow(middle, neurons.bottom, neurons.bottom + gap));
    const parts = [layer.units, layer.memory.dims, layer.keeps_input ? layer.inputs : 0].filter(n => n > 0);
    const sum = parts.reduce((a, b) => a + b, 0);
    y = bar(neurons.bottom + gap, parts.length > 1 ? `${parts.join(' + ')} = ${sum} values` : `${sum} values`);
  });
  const set = net.output && net.output.operator_set;
  const output = panel(5, y + gap, 340, 'box', [`output: ${outputs}`, ...(set ? [setName(set), ...formulaLines(set, operators)] : ['linear'])]);
  svg.append(arrow(175, y, y + gap), output.svg);
  svg.setAttribute('height', output.bottom + 5);
  svg.setAttribute('viewBox', `0 0 350 ${output.bottom + 5}`);
  return svg;
}

function networkRows(net, inputs, outputs) {
  const rows = [['layer', 'block', 'inputs', 'units', 'nodal', 'pool', 'activation', 'memory', 'memory_dims', 'keeps_input']];
  net.layers.forEach((layer, k) => layer.blocks.forEach((block, j) => rows.push([k + 1, j + 1, layer.inputs, block.units,
    ...block.operator_set, layer.memory.type, layer.memory.dims, layer.keeps_input])));
  if (!net.layers.length) rows.push(['output', 1, inputs, outputs, 'linear', '', '', 'none', 0, false]);
  return rows;
}

// The networks of the model; if there are many, those with the largest weights.
function networkSection(data) {
  const model = data.model;
  if (!model) return null;
  const nets = (model.members || [{weight: 1, layers: model.layers, output: model.output}])
    .map((net, k) => ({...net, number: k + 1})).sort((a, b) => b.weight - a.weight || a.number - b.number);
  const outputs = model.task === 'classification' ? `${model.outputs} classes` : `${model.outputs} value${model.outputs > 1 ? 's' : ''}`;
  const layers = nets.find(net => net.layers.length).layers;  // a linear model among them has none
  const sees = layers.at(-1).memory.dims > 0;
  const remembers = layers.some(layer => layer.memory.dims > 0);
  const notes = [`The model has ${short(model.parameters)} parameters.`];
  if (remembers) notes.push(sees ? 'The output uses the neurons and the memory of the last layer.'
    : 'The output uses only the neurons of the last layer.');
  if (nets.length > 1) notes.push(`The model is a weighted average of ${nets.length} networks.`);
  if (nets.length > 12) notes.push('The figures show the 12 with the largest weights.');
  const pictures = nets.slice(0, 12).map(net => figure(nets.length > 1
    ? `network ${net.number} of ${nets.length}, weight ${short(net.weight)}` : 'network',
    drawNetwork(net, model.inputs, outputs, data.operators), networkRows(net, model.inputs, model.outputs)));
  return section('Network', h('p', {}, notes.join(' ')), h('div', {class: 'figures'}, pictures));
}
