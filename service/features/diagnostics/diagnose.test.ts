import { describe, expect, it } from 'vitest';
import { api, Diagnostics, hostVersion } from '../../contract/index.ts';
import { checkMachine } from '../../platform/machine-check.ts';
import { installSample, invoke } from '../../testing/sample-plugin.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';
import { inChinese } from '../../testing/in-chinese.ts';
import { wireLack } from './diagnose.ts';

const webAllow = ['10.0.0.5:8080', '[::1]:9000'];
const test = await useForFile(startTestHost({ properties: { webAllow } }));

const read = (): Promise<Diagnostics> => test.client.call(api.host.diagnostics);

describe('the diagnostics', () => {
  it('contain versions, platform, mode and database', async () => {
    const answer = await test.ask('/api/diagnostics');
    expect(answer.status).toBe(200);
    expect(Diagnostics.strict().parse(answer.json())).toMatchObject({
      version: hostVersion,
      node: process.versions.node,
      platform: process.platform,
      mode: 'APP',
      database: {
        type: 'SQLITE',
        serverVersion: expect.stringMatching(/^3\.\d+/) as unknown,
      },
      mcp: [],
    });
  });

  it('do not claim a sandbox that does not exist', async () => {
    const { isolation } = await read();
    expect(isolation).toMatchObject({
      platform: process.platform,
      backend: 'none',
      sandboxed: false,
      compatibilityMode: true,
      filesystem: 'none',
      network: 'open',
      unsandboxedPlugins: false,
    });
    await test.client.call(api.settings.put, { body: { unsandboxedPlugins: true } });
    expect((await read()).isolation.unsandboxedPlugins).toBe(true);
  });

  it('contain every installed plugin with its present state', async () => {
    expect((await read()).plugins).toEqual([]);
    const { id } = await installSample(test);
    expect((await read()).plugins).toEqual([{ id, state: 'stopped' }]);
    await invoke(test, id, 'echo');
    expect((await read()).plugins).toEqual([{ id, state: 'running' }]);
  });

  it('contain what is missing on this machine', async () => {
    const lacking = await checkMachine({
      h2Paths: { jarProperty: null, bridgeDirectory: null },
      usesH2: false,
    });
    const { missing } = await read();
    expect(missing).toEqual(lacking.map(wireLack));
    for (const { whyMessage } of missing) expect(inChinese(whyMessage)).toMatch(/没有.*无法.*。$/);
  });

  it('contain the addresses that the web guard allows', async () => {
    expect((await read()).webAllow).toEqual(webAllow);
  });

  it('contain the latest warnings and errors without secrets', async () => {
    test.log.info('tools', 'Not worth a look.');
    test.log.warn('tools', 'Careful.');
    test.log.error('tools', 'It failed', new Error('password=c4nary'));
    const { errors } = await read();
    expect(errors.slice(-2)).toEqual([
      { at: expect.any(String) as unknown, level: 'WARN', logger: 'tools', message: 'Careful.' },
      {
        at: expect.any(String) as unknown,
        level: 'ERROR',
        logger: 'tools',
        message: 'It failed: password=***',
      },
    ]);
    for (let i = 0; i < 60; i += 1) test.log.warn('tools', `number ${i}`);
    const last = (await read()).errors;
    expect(last).toHaveLength(50);
    expect(last.at(-1)?.message).toBe('number 59');
  });

  it('require the token', async () => {
    const answer = await test.ask('/api/diagnostics', { headers: { 'X-Host-Token': '' } });
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain(hostVersion);
  });

  it('are absent in SETUP mode', async () => {
    const bare = await startTestHost({ setup: null });
    try {
      const answer = await bare.ask('/api/diagnostics');
      expect([answer.status, (answer.json() as { code: string }).code]).toEqual([
        404,
        'setup_required',
      ]);
      const nobody = await bare.ask('/api/diagnostics', { headers: { 'X-Host-Token': '' } });
      expect(nobody.status).toBe(401);
    } finally {
      await bare.close();
    }
  });
});
