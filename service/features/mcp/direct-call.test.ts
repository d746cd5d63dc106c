import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { hostileServer } from '../../testing/mcp/hostile-servers.ts';
import { addUntil, callTool, showServer, textOf } from '../../testing/mcp/mcp-host.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useFolder, useForFile } from '../../testing/use-for-file.ts';

const folder = await useFolder('mcp-direct-');
const host = await useForFile(startTestHost());

describe('a direct call whose client disconnects', () => {
  it('is cancelled at its server, which continues with the next one', async () => {
    const callLogPath = join(folder, 'told');
    const { id } = await addUntil(host, hostileServer('good', { name: 'left' }, [callLogPath]));
    const readCallLog = () => readFile(callLogPath, 'utf8').catch(() => '');
    const leaving = new AbortController();
    const abandoned = host.client.call(api.mcp.call, {
      params: { id },
      body: { tool: 'hang', arguments: {} },
      signal: leaving.signal,
    });
    const outcome = abandoned.then(
      () => 'answered',
      () => 'left',
    );
    await expect.poll(readCallLog).toBe('hangs\n');
    leaving.abort();
    expect(await outcome).toBe('left');
    await expect.poll(readCallLog).toMatch(/^cancelled .*"requestId":\d+/m);
    expect(textOf(await callTool(host, id, 'echo', { message: 'x' }))).toBe('Echo: x');
    expect((await showServer(host, id)).state).toBe('CONNECTED');
  });
});
