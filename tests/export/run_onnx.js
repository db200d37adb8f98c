// Runs ONNX models with ONNX Runtime. Standard input: a list of {model, type, inputs: {name: {file, columns} or {texts}}}. Standard
// output: the outputs of each model, and the peak memory of the process.
const fs = require("fs");
const ort = require("onnxruntime-node");

const arrays = {float32: Float32Array, float64: Float64Array};
const tensor = (type, input) => {
  if (input.texts) return new ort.Tensor("string", input.texts, [input.texts.length, 1]);
  const bytes = fs.readFileSync(input.file);
  const data = new arrays[type](bytes.buffer, bytes.byteOffset, bytes.length / arrays[type].BYTES_PER_ELEMENT);
  return new ort.Tensor(type, data, [data.length / input.columns, input.columns]);
};

(async () => {
  const results = [];
  for (const job of JSON.parse(fs.readFileSync(0))) {
    const session = await ort.InferenceSession.create(job.model, {intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3});
    const feeds = Object.fromEntries(Object.entries(job.inputs).map(([name, input]) => [name, tensor(job.type, input)]));
    const begin = process.cpuUsage();
    const out = await session.run(feeds);
    const seconds = process.cpuUsage(begin).user / 1e6;
    const outputs = {};
    if (!job.quiet)
      for (const [name, t] of Object.entries(out)) outputs[name] = {type: t.type, dims: t.dims, data: Array.from(t.data, v => typeof v === "bigint" ? Number(v) : v)};
    results.push({names: session.inputNames, outputs, seconds});
  }
  // resourceUsage().maxRSS would not do: on Linux it starts at the peak of the parent process.
  const peak = /VmHWM:\s+(\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1];
  console.log(JSON.stringify({results, megabytes: peak / 1024}));
})();
