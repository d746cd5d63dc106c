import type { Metric } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';

/** Values by tag; a series is identified by its tags. */
export type Tags = Readonly<Record<string, string>>;

/** A metric as it is declared. */
export interface Definition {
  description: string;
  /** Unit of the values, such as `seconds`; null if they have none. */
  baseUnit: string | null;
  kind: 'counter' | 'timer' | 'gauge';
  /** Present value of a gauge. */
  read?: () => number;
}

/** The counts of one combination of tags. */
export interface Series {
  tags: Tags;
  count: number;
  totalSeconds: number;
  maxSeconds: number;
}

const gauge = (description: string, baseUnit: string | null, read: () => number): Definition => ({
  description,
  baseUnit,
  kind: 'gauge',
  read,
});

const counter = (description: string, baseUnit: string | null = null): Definition => ({
  description,
  baseUnit,
  kind: 'counter',
});

const timer = (description: string): Definition => ({
  description,
  baseUnit: 'seconds',
  kind: 'timer',
});

const definitions: Record<string, Definition> = {
  'host.agent.runs': counter('Runs of agents that ended'),
  'host.agent.run.duration': timer('Time a run of an agent took, with what it waited for'),
  'host.agent.steps': counter('Steps of runs that ended'),
  'host.agent.step.duration': timer('Time the call of a step took'),
  'host.chat.turns': counter('Turns of the chat that ended'),
  'host.chat.tokens': counter('Tokens that turns of the chat took', 'tokens'),
  'host.mcp.calls': counter('Calls of tools of MCP servers'),
  'host.plugin.calls': counter('Calls of plugin workers'),
  'host.plugin.call.duration': timer('Time a plugin call took'),
  'process.uptime': gauge('Time since the host started', 'seconds', () => process.uptime()),
  'process.memory.rss': gauge('Resident memory of the host', 'bytes', () =>
    process.memoryUsage.rss(),
  ),
  'process.cpu.time': gauge('Processor time of the host', 'seconds', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }),
};

/** Limits the memory that hostile tag values can use. */
const maxSeriesPerMetric = 1_000;

/** Counters and timers in memory, in the format of the Spring Boot actuator endpoints. */
export class Metrics {
  private readonly series = new Map<string, Map<string, Series>>();
  private readonly definitions: Record<string, Definition> = { ...definitions };

  names(): string[] {
    return Object.keys(this.definitions).sort();
  }

  /** All metrics with their present series, for exporters. */
  all(): { name: string; definition: Definition; series: Series[] }[] {
    return Object.entries(this.definitions).map(([name, definition]) => ({
      name,
      definition,
      series: [...(this.series.get(name)?.values() ?? [])],
    }));
  }

  /** Adds a value that only some hosts have. */
  addGauge(name: string, description: string, read: () => number): void {
    this.definitions[name] = gauge(description, null, read);
  }

  count(name: string, tags: Tags = {}, more = 1): void {
    const series = this.seriesOf(name, tags);
    if (series) series.count += more;
  }

  time(name: string, seconds: number, tags: Tags = {}): void {
    const series = this.seriesOf(name, tags);
    if (!series) return;
    series.count += 1;
    series.totalSeconds += seconds;
    series.maxSeconds = Math.max(series.maxSeconds, seconds);
  }

  pluginCall(plugin: string, outcome: string, seconds: number): void {
    this.count('host.plugin.calls', { plugin, outcome });
    this.time('host.plugin.call.duration', seconds, { plugin, outcome });
  }

  agentStep(tool: string, outcome: string, seconds: number): void {
    this.count('host.agent.steps', { tool, outcome });
    this.time('host.agent.step.duration', seconds, { tool, outcome });
  }

  agentRun(outcome: string, seconds: number): void {
    this.count('host.agent.runs', { outcome });
    this.time('host.agent.run.duration', seconds, { outcome });
  }

  chatTurn(outcome: string): void {
    this.count('host.chat.turns', { outcome });
  }

  /** `source` is who counted: the model server, or this host by the length of the text. */
  chatTokens(direction: 'input' | 'output', source: 'server' | 'estimate', tokens: number): void {
    // Values reported by servers are not always valid numbers of tokens.
    if (Number.isSafeInteger(tokens) && tokens > 0)
      this.count('host.chat.tokens', { direction, source }, tokens);
  }

  mcpCall(server: string, outcome: string): void {
    this.count('host.mcp.calls', { server, outcome });
  }

  private seriesOf(name: string, tags: Tags): Series | undefined {
    const all = this.series.get(name) ?? new Map<string, Series>();
    this.series.set(name, all);
    const key = JSON.stringify(tags);
    const existing = all.get(key);
    if (existing || all.size >= maxSeriesPerMetric) return existing;
    const made = { tags, count: 0, totalSeconds: 0, maxSeconds: 0 };
    all.set(key, made);
    return made;
  }

  /**
   * `requiredTags` are `key:value` pairs that a series must have.
   * @throws HostError 404 for an unknown metric or tag
   */
  read(name: string, requiredTags: string[]): Metric {
    const definition = Object.hasOwn(this.definitions, name) ? this.definitions[name] : undefined;
    if (!definition) throw unknown(name);
    const series = [...(this.series.get(name)?.values() ?? [])].filter((one) =>
      carries(one, requiredTags),
    );
    if (requiredTags.length > 0 && series.length === 0)
      throw unknown(`${name} with ${requiredTags.join(', ')}`);
    const { description, baseUnit } = definition;
    return {
      name,
      description,
      baseUnit,
      measurements: measure(definition, series),
      availableTags: tagsOf(series),
    };
  }
}

function unknown(name: string): HostError {
  return new HostError('missing', 'unknown_metric', msg('diagnostics.unknownMetric', { name }));
}

function carries({ tags }: Series, requiredTags: string[]): boolean {
  return requiredTags.every((pair) => {
    const colon = pair.indexOf(':');
    return tags[pair.slice(0, colon)] === pair.slice(colon + 1);
  });
}

function measure(definition: Definition, series: Series[]): Metric['measurements'] {
  if (definition.read) return [{ statistic: 'VALUE', value: definition.read() }];
  const count = { statistic: 'COUNT', value: sum(series.map((one) => one.count)) };
  if (definition.kind === 'counter') return [count];
  const total = { statistic: 'TOTAL_TIME', value: sum(series.map((one) => one.totalSeconds)) };
  return [
    count,
    total,
    { statistic: 'MAX', value: Math.max(0, ...series.map((one) => one.maxSeconds)) },
  ];
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);

function tagsOf(series: Series[]): Metric['availableTags'] {
  const values = new Map<string, Set<string>>();
  for (const { tags } of series) {
    for (const [tag, value] of Object.entries(tags))
      values.set(tag, (values.get(tag) ?? new Set()).add(value));
  }
  return [...values].map(([tag, seen]) => ({ tag, values: [...seen].sort() }));
}
