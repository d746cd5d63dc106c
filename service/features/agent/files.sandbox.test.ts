import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { type AgentHost, startAgentHost } from '../../testing/agent-host.ts';
import { fileTools, installFileTools } from '../../testing/file-tools.ts';
import { testDesktop } from '../../testing/test-desktop.ts';

let host: AgentHost;
let headless: AgentHost;
let outside: string;
beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), 'picked-'));
  await writeFile(join(outside, 'notes.txt'), 'picked');
  const desktop = testDesktop();
  host = await startAgentHost({ sandboxPath: process.env['PATH'] ?? '', desktop });
  headless = await startAgentHost();
  await installFileTools(host);
  await installFileTools(headless);
});
afterAll(async () => {
  await host.close();
  await headless.close();
  await rm(outside, { recursive: true });
});

const reads = (name: string) => ({ tool: 'read_it', arguments: { path: `@file:${name}` } });
const config = { planApproval: false };

const grant = () =>
  host.client.call(api.files.upload, {
    params: { id: fileTools },
    file: new Blob(['granted']),
    fields: {},
  });

async function uploadFile(): Promise<string> {
  const files = [{ blob: new Blob(['brought']), name: 'brought.txt' }];
  const { uploadId } = await host.client.call(api.chat.upload, { files, fields: {} });
  return uploadId;
}

describe('files of a run', () => {
  it('reach the plugin of a step however they were chosen, with a directory that the host creates [AGENT-09]', async () => {
    const greetStep = { tool: 'say_it', arguments: { path: '@file:space' } };
    const run = await host.start({
      plan: { steps: [reads('granted'), reads('picked'), reads('brought'), greetStep] },
      config,
      files: [
        { name: 'granted', refs: [{ pluginId: fileTools, ...(await grant()) }] },
        { name: 'picked', nativePath: join(outside, 'notes.txt') },
        { name: 'brought', uploadId: await uploadFile() },
        { name: 'space', createSharedDirectory: true },
      ],
    });
    await run.ended;
    const { status, executions } = await host.show(run.runId);
    expect(status).toBe('completed');
    expect(executions.slice(0, 3).map(({ result }) => result)).toEqual([
      ...[{ done: 'granted' }, { done: 'picked' }, { done: 'brought' }],
    ]);
    expect(executions[3]?.result).toEqual({ path: expect.stringMatching(/\/space$/) as unknown });
  });

  it('prevent the start of a run if they are missing or were not granted', async () => {
    const plan = { steps: [reads('report')] };
    const before = await headless.client.call(api.agent.runs, { query: {} });
    const ref = { ...(await grant()), pluginId: fileTools };
    for (const [file, problem] of [
      [{ nativePath: join(outside, 'notes.txt') }, { status: 501, code: 'desktop_only' }],
      [{ uploadId: 'nothing' }, { status: 404, code: 'unknown_upload' }],
      [{ refs: [ref] }, { status: 404, code: 'unknown_grant' }],
    ] as const)
      await expect(
        headless.start({ plan, config, files: [{ name: 'report', ...file }] }),
      ).rejects.toMatchObject({ problem });
    expect(await headless.client.call(api.agent.runs, { query: {} })).toEqual(before);
  });
});
