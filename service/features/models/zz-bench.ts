import { createServer } from 'node:http';
import OpenAI from 'openai';
import { backendOf } from './backend-of.ts';
import { ModelWire } from './wire/model-wire.ts';
const n = 20000;
const frames: string[] = [];
for (let i = 0; i < n; i++)
  frames.push(
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: ' tok' + i }, finish_reason: null }] })}\n\n`,
  );
const tail = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
const per = Number(process.argv[2] ?? 1);
const server = createServer((req, res) => {
  req.resume();
  req.on('end', async () => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let i = 0; i < n; i += per) {
      if (!res.write(frames.slice(i, i + per).join('')))
        await new Promise((r) => res.once('drain', r));
    }
    res.end(tail);
  });
});
await new Promise<void>((r) => server.listen(0, '127.0.0.1', () => r()));
const base = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
const wire = new ModelWire();
const ours = backendOf(
  { mode: 'cloud_c', apiKey: 'k', model: 'm', baseUrl: base, contextWindowTokens: 0 },
  wire,
);
const client = new OpenAI({ apiKey: 'k', baseURL: base });
for (let round = 0; round < 6; round++) {
  let t = performance.now();
  let c = 0;
  for await (const chunk of await client.chat.completions.create({
    model: 'm',
    stream: true,
    messages: [{ role: 'user', content: 'x' }],
  }))
    if (chunk.choices[0]?.delta.content) c++;
  const a = performance.now() - t;
  t = performance.now();
  let d = 0;
  for await (const e of ours.stream({
    messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
    tools: [],
    signal: new AbortController().signal,
  }))
    if (e.type === 'text') d++;
  const b = performance.now() - t;
  console.log(round, 'sdk', a.toFixed(0), c, 'ours', b.toFixed(0), d, 'ratio', (a / b).toFixed(2));
}
await wire.close();
server.close();
