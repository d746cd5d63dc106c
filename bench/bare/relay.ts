/** Minimal relay of a model's answer to a page: `node relay.ts <address of the model server>`. */
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import { OpenAI } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';

const api = new OpenAI({ baseURL: process.argv[2] ?? '', apiKey: 'unused' });
const app = express();
app.post(
  '/chat',
  express.json(),
  async (req: Request<object, unknown, { messages: ChatCompletionMessageParam[] }>, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    const { messages } = req.body;
    const stream = await api.chat.completions.create({ model: 'bench', messages, stream: true });
    for await (const chunk of stream) {
      const text = chunk.choices[0]?.delta.content ?? '';
      if (text !== '') res.write(`event: token\ndata: ${JSON.stringify({ text })}\n\n`);
    }
    res.end('event: done\ndata: {}\n\n');
  },
);
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`PORT=${(server.address() as AddressInfo).port}\n`);
});
