import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { api } from '../service/contract/index.ts';
import { chromiumBelow } from '../service/testing/browser/chromium-processes.ts';
import { serveWeb } from '../service/testing/web-server.ts';
import { createHosts } from './built-host.ts';

const hosts = createHosts();
test.afterEach(() => hosts.cleanUp());

test.describe('the browser of a host', () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    test(`ends with it, also on ${signal}`, async () => {
      const asked: string[] = [];
      const server = await serveWeb((request, response) => {
        asked.push(request.url ?? '');
        response
          .setHeader('content-type', 'text/html')
          .end('<title>Here</title><script>for(;;);</script>');
      });
      try {
        const args = ['--port=0', '--setup=SQLITE', `--host.web.allow=${server.allow}`];
        const host = await hosts.start({ args });
        const client = await host.client();
        const steps = [{ tool: 'browser_navigate', arguments: { url: `${server.base}/page` } }];
        const config = { permissionMode: 'full-access' as const, planApproval: false };
        await client.call(api.agent.run, { body: { goal: 'Look', config, workflow: { steps } } });
        await expect.poll(() => asked).toContain('/page');
        const directory = join(host.workDirectory, '.host', 'browser');
        expect((await chromiumBelow(directory)).length).toBeGreaterThan(0);
        host.child.kill(signal);
        await host.exited;
        await expect.poll(() => chromiumBelow(directory)).toEqual([]);
      } finally {
        await server.close();
      }
    });
});
