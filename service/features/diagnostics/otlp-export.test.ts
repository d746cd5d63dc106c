import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api, hostVersion } from '../../contract/index.ts';
import { createLog } from '../../platform/log.ts';
import {
  type OtlpCollector,
  type OtlpMetric,
  type Push,
  startOtlpCollector,
  tagsOf,
} from '../../testing/otlp-collector.ts';
import { loadedBy } from '../../testing/loaded-by.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { Metrics } from './metrics.ts';
import { pushMetrics } from './otlp-push.ts';

let collector: OtlpCollector;
beforeEach(async () => {
  collector = await startOtlpCollector();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await collector.close();
});

const quiet = () => createLog({ level: 'OFF', directory: null, stderr: false });

/** The metrics of the last export, by name. */
function lastPush(): Push & { named: Record<string, OtlpMetric> } {
  const push = collector.pushes.at(-1);
  if (!push) throw new Error('Nothing was exported.');
  return { ...push, named: Object.fromEntries(push.metrics.map((one) => [one.name, one])) };
}

describe('a host with a collector', () => {
  const exporting = (url: string): Promise<TestHost> =>
    startTestHost({ properties: { otlpMetricsUrl: url } });

  it('exports its metrics, at the latest when it closes [METRIC-05]', async () => {
    const host = await exporting(`${collector.base}/v1/metrics`);
    const { names } = await host.client.call(api.host.metrics);
    await host.close();
    expect(collector.refusals).toEqual([]);
    const { path, resource, named } = lastPush();
    expect(path).toBe('/v1/metrics');
    expect(resource).toEqual({ 'service.name': 'plugin-host', 'service.version': hostVersion });
    const metricNames = Object.keys(named);
    expect(names).toEqual(expect.arrayContaining(metricNames));
    expect(metricNames).toEqual(expect.arrayContaining(['process.uptime', 'process.memory.rss']));
    const [uptime] = named['process.uptime']?.gauge?.dataPoints ?? [];
    expect(uptime?.asDouble).toBeGreaterThan(0);
  });

  it('uses the usual path if the address has none', async () => {
    const host = await exporting(collector.base);
    await host.close();
    expect(lastPush().path).toBe('/v1/metrics');
  });

  it.each(['that refuses connections', 'that never answers'])(
    'runs and closes as usual with one %s',
    async (how) => {
      const { host, silent } = await withBadCollector(how, exporting);
      expect(await host.client.call(api.host.health)).toMatchObject({ status: 'ok' });
      const started = performance.now();
      await host.close();
      expect(performance.now() - started).toBeLessThan(3_000);
      silent?.close();
    },
  );
});

async function withBadCollector(
  how: string,
  start: (url: string) => Promise<TestHost>,
): Promise<{ host: TestHost; silent?: Server }> {
  if (how === 'that refuses connections') {
    await collector.close();
    const host = await start(collector.base);
    collector = await startOtlpCollector();
    return { host };
  }
  const silent = createServer((socket) => socket.on('error', () => undefined));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  return { host: await start(`http://127.0.0.1:${port}`), silent };
}

describe('the export', () => {
  it('sends counters and timers with their tags periodically', async () => {
    const metrics = new Metrics();
    metrics.pluginCall('acme.one', 'success', 2);
    metrics.pluginCall('acme.one', 'success', 0.5);
    metrics.pluginCall('acme.one', 'failure', 1);
    const instance = { id: 'a-host', name: 'north' };
    const push = pushMetrics({ metrics, log: quiet(), url: collector.base, instance, everyMs: 50 });
    await expect.poll(() => collector.pushes.length).toBeGreaterThan(1);
    const before = collector.pushes.length;
    metrics.pluginCall('acme.one', 'success', 4);
    await push.close();
    expect(collector.refusals).toEqual([]);
    expect(collector.pushes.length).toBeGreaterThan(before);

    const { named, resource } = lastPush();
    expect(resource).toMatchObject({
      'service.instance.id': 'a-host',
      'host.id': 'a-host',
      'host.name': 'north',
    });
    const calls = named['host.plugin.calls'];
    expect(calls).toMatchObject({ unit: '', description: 'Calls of plugin workers' });
    expect(
      calls?.sum?.dataPoints.map((point) => [tagsOf(point.attributes)['outcome'], point.asInt]),
    ).toEqual([
      ['success', 3],
      ['failure', 1],
    ]);
    const took = named['host.plugin.call.duration'];
    expect(took?.unit).toBe('s');
    const [success] = took?.histogram?.dataPoints ?? [];
    expect(success).toMatchObject({ count: 3, sum: 6.5, max: 4, bucketCounts: [3] });
    expect(success && tagsOf(success.attributes)).toEqual({
      plugin: 'acme.one',
      outcome: 'success',
    });
    expect(Object.keys(named)).not.toContain('host.agent.runs');
    const from = Number(success?.startTimeUnixNano);
    const to = Number(success?.timeUnixNano);
    expect(from).toBeLessThan(to);
    expect(Math.abs(to / 1e6 - Date.now())).toBeLessThan(60_000);
  });

  it('sends the headers from the environment', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-key=of-the-test');
    const push = pushMetrics({ metrics: new Metrics(), log: quiet(), url: collector.base });
    await push.close();
    expect(collector.pushes[0]?.headers['x-key']).toBe('of-the-test');
  });

  it('logs a failure once a minute, without the credentials in the address', async () => {
    const log = quiet();
    collector.answers(404);
    const url = collector.base.replace('http://', 'http://me:of-the-test@');
    const push = pushMetrics({ metrics: new Metrics(), log, url, everyMs: 500 });
    await expect.poll(() => collector.pushes.length).toBeGreaterThan(3);
    await push.close();
    const message = `Metrics could not be exported to 127.0.0.1:${collector.port}: it knows no such path. The address usually ends in /v1/metrics.`;
    expect(log.errors.map((one) => one.message).join('\n')).toBe(message);
    expect(collector.pushes[0]?.headers.authorization).toMatch(/^Basic /);
  });

  it('continues when the collector works again', async () => {
    const log = quiet();
    collector.answers(400);
    const push = pushMetrics({ metrics: new Metrics(), log, url: collector.base, everyMs: 20 });
    await expect.poll(() => log.errors.length).toBe(1);
    expect(log.errors[0]?.message).toContain('it answered with status 400');
    const before = collector.pushes.length;
    collector.answers(200);
    await expect.poll(() => collector.pushes.length).toBeGreaterThan(before + 1);
    await push.close();
  });
});

describe('a host without a collector', () => {
  it('does not load the export code [METRIC-06]', async () => {
    expect(await loadedBy({ otlpMetricsUrl: collector.base })).toContain(
      '@opentelemetry/sdk-metrics',
    );
    expect(await loadedBy({ otlpMetricsUrl: null })).toEqual([]);
  }, 60_000);
});
