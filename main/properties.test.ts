import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog, type LaunchProperties } from '../service/app/index.ts';
import { readFlags } from './flags.ts';
import {
  environmentName,
  type PropertyName,
  propertyNames,
  secretVariables,
  logWeakenedGuards,
} from './properties.ts';
import { UsageError } from './usage-error.ts';

const catalog = 'host.marketplace.catalog-url';
const metrics = 'management.otlp.metrics.export.url';
const servers = 'spring.ai.mcp.client.stdio.servers-configuration';

const read = (args: string[], environment: NodeJS.ProcessEnv = {}): LaunchProperties =>
  readFlags(args, environment).properties;

function refusal(name: PropertyName, text: string): string {
  try {
    read([`-D${name}=${text}`]);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error(`${name}=${text} was taken`);
}

describe('the properties of a start', () => {
  it('have names in the environment', () => {
    expect(propertyNames.map(environmentName)).toEqual([
      'HOST_AUTH_TOKEN',
      'HOST_MACHINE_KEY',
      'HOST_MARKETPLACE_CATALOG_URL',
      'MANAGEMENT_OTLP_METRICS_EXPORT_URL',
      'MANAGEMENT_OTLP_TRACING_ENDPOINT',
      'SPRING_AI_MCP_CLIENT_STDIO_SERVERS_CONFIGURATION',
      'HOST_H2_JAR',
      'HOST_WEB_ALLOW',
      'HOST_ALLOWED_HOSTS',
      'HOST_BROWSER_PATH',
      'HOST_COMPUTER_DISPLAY',
      'HOST_CLUSTER',
      'HOST_CLUSTER_NAME',
      'HOST_CLUSTER_LOST_AFTER',
    ]);
    expect(secretVariables).toEqual(['HOST_AUTH_TOKEN', 'HOST_MACHINE_KEY']);
  });

  const cases: [PropertyName, keyof LaunchProperties, (text: string) => string, unknown][] = [
    [catalog, 'catalogUrl', (host) => `https://${host}/c.json`, 'https://d/c.json'],
    [
      'management.otlp.tracing.endpoint',
      'otlpTracesUrl',
      (host) => `http://${host}/v1`,
      'http://d/v1',
    ],
    [metrics, 'otlpMetricsUrl', (host) => `http://${host}/v1`, 'http://d/v1'],
    [servers, 'mcpServersFile', (host) => `file:/srv/${host}`, '/srv/d'],
    ['host.h2.jar', 'h2Jar', (host) => `/srv/${host}`, '/srv/d'],
    ['host.browser.path', 'browserPath', (host) => `/srv/${host}`, '/srv/d'],
  ];
  it.each(cases)(
    '%s is taken from -D before --, and from -- before the environment',
    (name, key, textOf, fromD) => {
      const environment = { [environmentName(name)]: textOf('env') };
      const d = `-D${name}=${textOf('d')}`;
      const dash = `--${name}=${textOf('dash')}`;
      expect(read([dash, d], environment)[key]).toBe(fromD);
      expect(read([d, dash], environment)[key]).toBe(fromD);
      expect(read([dash], environment)[key]).toContain('dash');
      expect(read([], environment)[key]).toContain('env');
      expect(read([], {})[key]).toBeNull();
    },
  );

  it('a cluster has a name and a timeout, which mean nothing without it', () => {
    const more = ['--host.cluster.name=north', '--host.cluster.lost-after=5'];
    expect(read(['--host.cluster=true', ...more]).cluster).toEqual({
      name: 'north',
      lostAfterMs: 5_000,
    });
    expect(read(more).cluster).toBeNull();
    for (const seconds of ['0', '3601', '5s', '-1'])
      expect(() => read(['--host.cluster=true', `--host.cluster.lost-after=${seconds}`])).toThrow(
        'host.cluster.lost-after must be a number of seconds from 1 to 3600.',
      );
    expect(() => read(['--host.cluster=true', '--host.cluster.name= '])).toThrow(
      'host.cluster.name must be a name of at most 100 characters.',
    );
  });

  it('host.web.allow is taken in the same order', () => {
    const environment = { HOST_WEB_ALLOW: '10.0.0.3:3' };
    const [d, dash] = ['-Dhost.web.allow=10.0.0.1:1', '--host.web.allow=10.0.0.2:2'];
    expect(read([dash, d], environment).webAllow).toEqual(['10.0.0.1:1']);
    expect(read([dash], environment).webAllow).toEqual(['10.0.0.2:2']);
    expect(read([], environment).webAllow).toEqual(['10.0.0.3:3']);
    expect(read([]).webAllow).toEqual([]);
  });

  it.each<[PropertyName, keyof LaunchProperties, string, unknown]>([
    [catalog, 'catalogUrl', 'http://127.0.0.1:8080/c.json?x=1', 'http://127.0.0.1:8080/c.json?x=1'],
    [catalog, 'catalogUrl', 'HTTPS://host/c.json', 'HTTPS://host/c.json'],
    [catalog, 'catalogUrl', 'file:///srv/c.json', 'file:///srv/c.json'],
    [catalog, 'catalogUrl', 'file:/srv/c.json', 'file:/srv/c.json'],
    [servers, 'mcpServersFile', 'file:///srv/a%20b.json', '/srv/a b.json'],
    [servers, 'mcpServersFile', 'file:below.json', join(process.cwd(), 'below.json')],
    [servers, 'mcpServersFile', '/srv/a b.json', '/srv/a b.json'],
    [servers, 'mcpServersFile', 'below.json', join(process.cwd(), 'below.json')],
    ['host.h2.jar', 'h2Jar', 'lib/h2.jar', join(process.cwd(), 'lib', 'h2.jar')],
    ['host.web.allow', 'webAllow', '10.0.0.5:8080, [::1]:1', ['10.0.0.5:8080', '[::1]:1']],
    [
      'host.allowed-hosts',
      'allowedHosts',
      'localhost:8080, Host.example',
      ['localhost:8080', 'host.example'],
    ],
    ['host.cluster', 'cluster', 'true', { name: null, lostAfterMs: 30_000 }],
    ['host.cluster', 'cluster', 'false', null],
    ['host.web.allow', 'webAllow', '10.0.0.5:65535,10.0.0.5:65535', ['10.0.0.5:65535']],
  ])('%s: %s understands %j', (name, key, text, expected) => {
    expect(read([`-D${name}=${text}`])[key]).toEqual(expected);
  });

  const noCatalog = `${catalog} must be an http, https or file address.`;
  const noMetrics = `${metrics} must be an http or https address.`;
  const noServers = `${servers} must name a file.`;
  const noJar = 'host.h2.jar must name a file.';
  const noNames =
    'host.allowed-hosts must be a list of name:port, such as localhost:8080,host.example:443.';
  const noList = 'host.web.allow must be a list of ip:port, such as 10.0.0.5:8080,[::1]:9000.';
  it.each<[PropertyName, string, string]>([
    [catalog, '', noCatalog],
    ['host.cluster', 'yes', 'host.cluster must be true or false.'],
    [catalog, 'catalog.json', noCatalog],
    [catalog, '//host/c.json', noCatalog],
    [catalog, 'http://', noCatalog],
    [catalog, 'http://a b/', noCatalog],
    [catalog, 'http://host:99999/', noCatalog],
    [catalog, 'ftp://host/c.json', noCatalog],
    [catalog, 'file:c.json', noCatalog],
    [catalog, 'file://other/c.json', noCatalog],
    [catalog, 'javascript:alert(1)', noCatalog],
    [metrics, '', noMetrics],
    [metrics, 'localhost:4318', noMetrics],
    [metrics, 'file:///srv/x', noMetrics],
    [servers, '', noServers],
    [servers, 'file:', noServers],
    [servers, 'classpath:servers.json', noServers],
    [servers, 'https://host/servers.json', noServers],
    [servers, 'file://other/servers.json', noServers],
    [servers, 'file:///srv/%00', noServers],
    ['host.h2.jar', '', noJar],
    ['host.h2.jar', ' ', noJar],
    ['host.h2.jar', 'a\0b', noJar],
    ['host.allowed-hosts', 'a b:1', noNames],
    ['host.allowed-hosts', 'http://a:1', noNames],
    ['host.allowed-hosts', 'a:0', noNames],
    ['host.allowed-hosts', '', noNames],
    ['host.web.allow', '', noList],
    ['host.web.allow', ',', noList],
    ['host.web.allow', '10.0.0.5', noList],
    ['host.web.allow', '10.0.0.5:', noList],
    ['host.web.allow', '10.0.0.5:0', noList],
    ['host.web.allow', '10.0.0.5:65536', noList],
    ['host.web.allow', '10.0.0.256:80', noList],
    ['host.web.allow', 'localhost:80', noList],
    ['host.web.allow', '::1:80', noList],
    ['host.web.allow', '[10.0.0.5]:80', noList],
    ['host.web.allow', '10.0.0.0/8:80', noList],
    ['host.web.allow', '*:80', noList],
  ])('%s refuses %j in one sentence', (name, text, message) => {
    expect(refusal(name, text)).toBe(message);
  });
});

describe('what loosens a guard', () => {
  it('is reported at the start only', async () => {
    const log = createLog({ level: 'INFO', directory: null, stderr: false });
    logWeakenedGuards(read([]), log);
    expect(log.errors).toEqual([]);
    logWeakenedGuards(read(['-Dhost.web.allow=10.0.0.5:80,[::1]:90']), log);
    expect(log.errors.map(({ message }) => message)).toEqual([
      'The web guard lets through 10.0.0.5:80, [::1]:90 (host.web.allow).',
    ]);
    await log.close();
  });
});
