import type { Page } from 'playwright-core';
import { test } from '@playwright/test';
import type { Client } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import type { Answer, ModelServer } from '../service/testing/model-server.ts';
import { startModelServer } from '../service/testing/model-server.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { upload } from '../service/testing/sample-plugin.ts';
import type { BuiltHost } from './built-host.ts';
import type { HostPages } from './host-pages.ts';

const worker = `
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const result = method === 'count' ? { words: params.text.split(' ').length } : {};
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;

/** Packs a plugin whose tool `measure` counts words. */
const packMeasure = () =>
  packPlugin({
    manifest: {
      id: 'com.example.measure',
      name: 'Measure',
      permissions: ['files.read'],
      worker: { runtime: 'node' },
      methods: { count: {} },
      aiTools: [
        {
          name: 'measure',
          description: 'Tells how long a text is.',
          method: 'count',
          effect: 'read',
          inputSchema: {
            type: 'object',
            properties: { text: { type: 'string' } },
            required: ['text'],
          },
        },
      ],
    },
    files: { 'backend/worker.jar': null, 'backend/worker.mjs': worker },
  });

/** A chat page with its host and model. */
export interface OpenChat {
  page: Page;
  host: BuiltHost;
  client: Client;
  model: ModelServer;
  /** Types into the composer and sends. */
  send(text: string): Promise<void>;
  /** Sets the model's answers; the last one repeats. */
  script(...answers: Answer[]): void;
}

/** Starts hosts whose model is a test server, and opens their chat in a browser. */
export function chatPages({ hosts, page: currentPage }: HostPages): () => Promise<OpenChat> {
  let model: ModelServer;
  test.beforeEach(async () => {
    model = await startModelServer();
  });
  test.afterEach(() => model.close());

  return async () => {
    const page = currentPage();
    const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
    const client = await host.client();
    await client.call(api.aiConfig.put, {
      body: {
        activeMode: 'cloud_c',
        cloud_c: { apiKey: 'key-of-the-test', model: 'test-model', baseUrl: model.baseUrl },
      },
    });
    await upload({ client }, await packMeasure());
    await page.goto(await host.value('HOST_URL'));
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    return {
      page,
      host,
      client,
      model,
      async send(text) {
        await page.getByRole('textbox', { name: 'Message' }).fill(text);
        await page.keyboard.press('Enter');
      },
      script(...answers) {
        model.requests.length = 0;
        model.script((_, index) => answers[Math.min(index, answers.length - 1)] ?? {});
      },
    };
  };
}

export const runs = (command: string): Answer => ({
  toolCalls: [{ name: 'execute_command', arguments: JSON.stringify({ command }) }],
});
