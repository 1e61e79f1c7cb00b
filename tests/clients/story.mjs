// Plays story.json through one connected client and reports what that client received. Knows no client library.
//
// Speaks JSON lines with the program that started it: first comes {"story", "server", "mode"}; "ask" lines want one line back, which
// holds a "fault" if what was asked for did not happen; the last line written is {"report"}.

import { createInterface } from "node:readline";
import Ajv2020 from "ajv/dist/2020.js";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const hear = async () => JSON.parse((await lines.next()).value);
const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

async function ask(question) {
  tell({ ask: question });
  const answer = await hear();
  if (answer.fault) throw new Error(answer.fault);
}

/** The value at a path such as "messages.0.uid". */
const at = (value, path) => path.split(".").reduce((inner, step) => inner?.[step], value);

/** Arguments with every "$name.path" replaced by what an earlier answer held. */
function filled(value, kept) {
  if (typeof value === "string" && value.startsWith("$")) return at(kept, value.slice(1));
  if (Array.isArray(value)) return value.map((item) => filled(item, kept));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item, kept)]));
  }
  return value;
}

/** What is wrong with a refusal, or nothing. */
function* faultsOfRefusal(result, code, key) {
  if (result.isError !== true) yield "a refusal without isError";
  if ("structuredContent" in result) yield "a refusal with structuredContent";
  if (!result.content[0].text.startsWith(`${code}: `)) yield `the text does not begin with ${code}`;
  if (result._meta?.[key]?.code !== code) yield `_meta does not say ${code}`;
}

/** What is wrong with a result, or nothing. */
function* faultsOfResult(result, step, validate) {
  if (result.isError) {
    yield `refused: ${result.content[0].text}`;
    return;
  }
  const facts = result.structuredContent;
  if (!validate(facts)) yield `the output schema does not hold: ${JSON.stringify(validate.errors.slice(0, 3))}`;
  const [outline, ...blocks] = result.content.map((part) => part.text);
  if (JSON.parse(outline).fence !== facts.fence) yield "content[0] is not the same answer";
  if (blocks.some((block) => !block.startsWith(`[untrusted ${facts.fence}]\n`))) yield "a block without its fence";
  for (const [path, value] of Object.entries(step.expect ?? {})) {
    if (at(facts, path) !== value) yield `${path} is ${JSON.stringify(at(facts, path))}`;
  }
}

/**
 * Run the whole story. `connect(server, mode)` gives {protocol(), list(), call(params, options), close()}; the options of a call are
 * `onprogress` and `signal`, as both libraries name them.
 */
export async function play(connect) {
  const { story, server, mode } = await hear();
  const report = { protocol: "", listed: [], called: [], validated: 0, refused: 0, progress: 0, cancelled: false, closed: false, faults: [] };
  let client;
  try {
    client = await connect(server, mode);
    report.protocol = client.protocol();
    const tools = await client.list();
    report.listed = tools.map((tool) => tool.name);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const validators = Object.fromEntries(tools.map((tool) => [tool.name, ajv.compile(tool.outputSchema)]));
    await playSteps(client, story, validators, report);
    await cancel(client, story.cancelled, report);
  } catch (error) {
    report.faults.push(String(error));
  }
  try {
    await client?.close();
    report.closed = true;
  } catch (error) {
    report.faults.push(`close: ${error}`);
  }
  tell({ report });
  lines.return();
  process.stdin.destroy();
}

async function playSteps(client, story, validators, report) {
  const kept = {};
  for (const step of story.steps) {
    const heard = [];
    const options = step.progress ? { onprogress: (progress) => heard.push(progress) } : {};
    const result = await client.call({ name: step.tool, arguments: filled(step.arguments, kept) }, options);
    if (!report.called.includes(step.tool)) report.called.push(step.tool);
    const found = step.refusal ? faultsOfRefusal(result, step.refusal, story.refusal_key) : faultsOfResult(result, step, validators[step.tool]);
    const faults = [...found];
    if (step.progress && heard.length === 0) faults.push("no progress was reported");
    report.faults.push(...faults.map((fault) => `${step.tool}: ${fault}`));
    report.progress += heard.length;
    if (step.refusal) report.refused += 1;
    else if (faults.length === 0) report.validated += 1;
    if (step.keep) kept[step.keep] = result.structuredContent;
  }
}

/** Cancel a call that the Bridge stalls, see its connection dropped, and make the same call again. */
async function cancel(client, { tool, arguments: given }, report) {
  await ask("stall");
  const controller = new AbortController();
  const pending = client.call({ name: tool, arguments: given }, { signal: controller.signal }).then(
    () => "answered",
    () => "rejected",
  );
  await ask("stalled");
  controller.abort("no longer wanted");
  const outcome = await pending;
  if (outcome !== "rejected") report.faults.push("the cancelled call was answered");
  await ask("dropped");
  const again = await client.call({ name: tool, arguments: given }, {});
  if (again.isError) report.faults.push("the call after the cancelled one was refused");
  report.cancelled = outcome === "rejected";
}
