import { describe, expect, it } from 'vitest';
import { api, Metric } from '../../contract/index.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { Metrics } from './metrics.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const test = await useForFile(startTestHost());

const read = (name: string, query = {}): Promise<Metric> =>
  test.client.call(api.host.metric, { params: { name }, query });

describe('the metrics', () => {
  it('are listed by name, in order [METRIC-01]', async () => {
    const { names } = await test.client.call(api.host.metrics);
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual(
      expect.arrayContaining([
        'host.plugin.call.duration',
        'host.plugin.calls',
        'process.cpu.time',
        'process.memory.rss',
        'process.uptime',
      ]),
    );
  });

  it('can each be read, with description and unit [METRIC-01]', async () => {
    const { names } = await test.client.call(api.host.metrics);
    for (const name of names) {
      const metric = Metric.strict().parse(await read(name));
      expect(metric.name).toBe(name);
      expect(metric.description).not.toBe('');
      expect(metric.measurements.length).toBeGreaterThan(0);
      for (const { value } of metric.measurements) expect(value).toBeGreaterThanOrEqual(0);
    }
    expect(await read('process.uptime')).toMatchObject({
      baseUnit: 'seconds',
      measurements: [{ statistic: 'VALUE', value: expect.any(Number) as unknown }],
    });
    expect(await read('process.memory.rss')).toMatchObject({ baseUnit: 'bytes' });
  });

  it.each(['none', 'constructor', '__proto__', 'toString', 'process.uptime '])(
    'of an unknown name return 404: %s',
    async (name) => {
      await expect(read(name)).rejects.toMatchObject({
        problem: { status: 404, code: 'unknown_metric' },
      });
    },
  );

  it('of an unknown tag return 404', async () => {
    await expect(read('host.plugin.calls', { tag: 'plugin:none' })).rejects.toMatchObject({
      problem: { status: 404, code: 'unknown_metric' },
    });
  });
});

describe('a counter and a timer', () => {
  const metrics = new Metrics();
  metrics.pluginCall('acme.one', 'success', 2);
  metrics.pluginCall('acme.one', 'success', 3);
  metrics.pluginCall('acme.one', 'failure', 0.5);
  metrics.pluginCall('acme:two', 'success', 10);
  const values = (name: string, tags: string[] = []): Record<string, number> =>
    Object.fromEntries(
      metrics.read(name, tags).measurements.map(({ statistic, value }) => [statistic, value]),
    );

  it('sum the series with the requested tags', () => {
    expect(values('host.plugin.calls')).toEqual({ COUNT: 4 });
    expect(values('host.plugin.calls', ['plugin:acme.one'])).toEqual({ COUNT: 3 });
    expect(values('host.plugin.calls', ['plugin:acme.one', 'outcome:failure'])).toEqual({
      COUNT: 1,
    });
    expect(values('host.plugin.calls', ['plugin:acme:two'])).toEqual({ COUNT: 1 });
    expect(values('host.plugin.call.duration')).toEqual({ COUNT: 4, TOTAL_TIME: 15.5, MAX: 10 });
    expect(values('host.plugin.call.duration', ['outcome:failure'])).toEqual({
      COUNT: 1,
      TOTAL_TIME: 0.5,
      MAX: 0.5,
    });
  });

  it('list the available tags', () => {
    expect(metrics.read('host.plugin.calls', []).availableTags).toEqual([
      { tag: 'plugin', values: ['acme.one', 'acme:two'] },
      { tag: 'outcome', values: ['failure', 'success'] },
    ]);
    expect(metrics.read('host.plugin.calls', ['plugin:acme:two']).availableTags).toEqual([
      { tag: 'plugin', values: ['acme:two'] },
      { tag: 'outcome', values: ['success'] },
    ]);
  });

  it('stay bounded, whatever the tags are', () => {
    const many = new Metrics();
    for (let i = 0; i < 5_000; i += 1) many.pluginCall(`plugin-${i}`, 'success', 1);
    const { measurements, availableTags } = many.read('host.plugin.calls', []);
    expect(measurements).toEqual([{ statistic: 'COUNT', value: 1_000 }]);
    expect(availableTags[0]?.values).toHaveLength(1_000);
    many.pluginCall('plugin-7', 'success', 1);
    expect(many.read('host.plugin.calls', ['plugin:plugin-7']).measurements[0]?.value).toBe(2);
  });
});
