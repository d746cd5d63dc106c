import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChromiumEngine } from '../../../platform/browser/chromium/chromium-engine.ts';
import { createLog } from '../../../platform/log.ts';
import { createProcesses } from '../../../platform/processes.ts';
import { describeBrowser, type TestEngine } from '../../../testing/browser/browser-behaviour.ts';

async function startEngine(): Promise<TestEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'test-browser-'));
  const processes = createProcesses();
  const log = createLog({ level: 'OFF', directory: null, stderr: false });
  return {
    engine: new ChromiumEngine({ processes, log, named: null, directory }),
    async close() {
      await processes.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

describeBrowser('Chromium', startEngine);
