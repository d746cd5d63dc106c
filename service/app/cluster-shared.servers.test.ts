import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../contract/index.ts';
import { command } from '../testing/agent-host.ts';
import {
  type ClusterTestHost,
  startTestCluster,
  type TestCluster,
  until,
} from '../testing/cluster-hosts.ts';
import { createTestClock } from '../testing/test-clock.ts';

let cluster: TestCluster;
let one: ClusterTestHost;
let two: ClusterTestHost;
const start = '2026-03-01T10:00:00Z';
const clocks = [createTestClock(start), createTestClock(start)] as const;
beforeAll(async () => {
  cluster = await startTestCluster();
  [one, two] = await Promise.all([
    cluster.start('one', { wallClock: clocks[0] }),
    cluster.start('two', { wallClock: clocks[1] }),
  ]);
});
afterAll(() => cluster.close());

describe('what one host stores', () => {
  it('applies to the others', async () => {
    await one.client.call(api.settings.put, {
      body: { theme: 'dark', permissionRules: { deny: 'Tool(x)' } },
    });
    await until(
      () => two.client.call(api.settings.get),
      ({ theme, permissionRules }) => theme === 'dark' && permissionRules.deny === 'Tool(x)',
    );
    await two.client.call(api.aiConfig.put, { body: { activeMode: 'cloud_b' } });
    await until(
      () => one.client.call(api.aiConfig.get),
      ({ activeMode }) => activeMode === 'cloud_b',
    );
  });

  it('as providers, prices and MCP servers is available on the others, except programs that one of them starts', async () => {
    const added = await one.client.call(api.providers.create, {
      body: { name: 'Shared', protocol: 'ollama', baseUrl: 'http://127.0.0.1:9/', apiKey: '' },
    });
    await until(
      () => two.client.call(api.providers.list),
      (all) => all.some(({ id }) => id === added.id),
    );
    const prices = { currency: 'EUR', models: { m: { input: 1, output: 2 } } };
    await two.client.call(api.usage.setPrices, { body: prices });
    await until(
      () => one.client.call(api.usage.prices),
      ({ currency }) => currency === 'EUR',
    );
    const names = async (host: ClusterTestHost): Promise<string[]> =>
      (await host.client.call(api.mcp.list)).map(({ name }) => name).sort();
    await one.client.call(api.mcp.create, {
      body: { name: 'program', transport: 'STDIO', command: 'false' },
    });
    await one.client.call(api.mcp.create, {
      body: { name: 'address', transport: 'STREAMABLE_HTTP', url: 'http://127.0.0.1:9/mcp' },
    });
    await until(
      () => names(two),
      (all) => all.includes('address'),
    );
    // A host keeps servers that are missing from its own list.
    const { id } = await two.client.call(api.mcp.create, {
      body: { name: 'other', transport: 'STREAMABLE_HTTP', url: 'http://127.0.0.1:9/other' },
    });
    await until(
      () => names(one),
      (all) => all.includes('other'),
    );
    expect(await names(one)).toEqual(['address', 'other', 'program']);
    expect(await names(two)).toEqual(['address', 'other']);
    await one.client.call(api.mcp.remove, { params: { id } });
    await until(
      () => names(two),
      (all) => !all.includes('other'),
    );
  });

  it('as a notification reaches the clients of the others, once', async () => {
    const over = new AbortController();
    const { ticket } = await two.client.call(api.notifications.ticket);
    const stream = two.client.stream(api.notifications.stream, {
      // The browser appends the ticket itself.
      query: { ticket } as never,
      signal: over.signal,
    });
    const titles: string[] = [];
    const reading = (async () => {
      for await (const { event, data } of stream) {
        if (event !== 'notification') continue;
        titles.push(data.title);
        if (data.title === 'last') return;
      }
    })();
    const notify = (host: ClusterTestHost, title: string) =>
      host.client.call(api.notifications.create, {
        body: { source: 'host', level: 'info', title },
      });
    for (const title of ['a', 'b', 'c']) {
      await notify(one, title);
      await notify(two, `own ${title}`);
    }
    await until(
      () => Promise.resolve(titles.length),
      (count) => count >= 6,
    );
    await notify(one, 'last');
    await reading;
    over.abort();
    expect(titles.toSorted()).toEqual(['a', 'b', 'c', 'last', 'own a', 'own b', 'own c']);
  });

  it('as a durable schedule fires once, whichever host is up', async () => {
    await Promise.all(clocks.map((clock) => clock.advance(5_000)));
    const { id: workflowId } = await one.client.call(api.workflows.create, {
      body: { name: 'Report', plan: { steps: [command('echo done')] } },
    });
    const params = { workflowId };
    await one.client.call(api.workflows.publish, { params, body: { published: true } });
    const { id } = await one.client.call(api.schedules.create, {
      body: {
        workflowId,
        permissionMode: 'full-access',
        durable: true,
        cron: '* * * * *',
        timeZone: 'UTC',
      },
    });
    await until(
      () => two.client.call(api.schedules.list),
      (all) => all.some((schedule) => schedule.id === id),
    );
    for (let minute = 1; minute <= 3; minute += 1) {
      await Promise.all(clocks.map((clock) => clock.advance(60_000)));
      await until(
        () => two.client.call(api.schedules.list),
        (all) =>
          (all[0]?.history.filter(({ outcome }) => outcome === 'started').length ?? 0) >= minute,
      );
      await until(
        () => two.client.call(api.schedules.list),
        (all) => all[0]?.lastRun?.status === 'completed',
      );
    }
    const runs = await cluster.query<{ count: string }>(
      'SELECT count(*) AS count FROM agent_runs WHERE workflow_id = $1',
      [workflowId],
    );
    expect(Number(runs[0]?.count)).toBe(3);
  });
});
