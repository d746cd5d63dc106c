/**
 * The same relay with the Vercel AI SDK, as in its guide for Express: `node ai-relay.ts <address>`.
 */
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  type ModelMessage,
  pipeUIMessageStreamToResponse,
  streamText,
  toUIMessageStream,
} from 'ai';
import express, { type Request } from 'express';

const provider = createOpenAICompatible({ name: 'bench', baseURL: process.argv[2] ?? '' });
const app = express();
app.post(
  '/chat',
  express.json(),
  async (req: Request<object, unknown, { messages: ModelMessage[] }>, res) => {
    const { stream } = streamText({ model: provider('bench'), messages: req.body.messages });
    await pipeUIMessageStreamToResponse({ response: res, stream: toUIMessageStream({ stream }) });
  },
);
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`PORT=${(server.address() as AddressInfo).port}\n`);
});
