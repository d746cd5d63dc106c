import { describe, expect, it } from 'vitest';
import type { McpServerView } from '../../../service/contract/index.ts';
import { McpDefinition } from '../../../service/contract/index.ts';
import {
  argsOf,
  argsText,
  definitionOf,
  doubledName,
  draftOf,
  replacementOf,
} from './server-draft.ts';

const view: McpServerView = {
  id: 'one',
  name: 'one',
  transport: 'STREAMABLE_HTTP',
  url: 'https://example.org/mcp',
  envKeys: [],
  headerNames: ['X-Key', 'X-Other'],
  enabled: true,
  builtIn: false,
  oauth: { clientId: 'client', redirectUri: 'http://localhost:9/x', hasClientSecret: true },
  callTimeoutSeconds: 30,
  trustAnnotations: false,
  state: 'CONNECTED',
  tools: [],
};

describe('a server in the form', () => {
  it('has one argument a line, whatever stands in it', () => {
    const args = ['-y', 'two words', '', '"quoted"', 'line\nbreak', '  spaces  '];
    expect(argsText(args).split('\n')).toHaveLength(args.length);
    expect(argsOf(argsText(args))).toEqual(args);
    expect(argsOf('-y\n\n"not closed\n')).toEqual(['-y', '"not closed']);
  });

  it('keeps the values that were not touched, and drops those that were taken away', () => {
    const draft = draftOf(view);
    const [first] = draft.headers;
    const headers = [
      { ...first!, stored: true },
      { key: 9, name: ' X-New ', value: 'v', stored: false },
      { key: 10, name: '', value: '', stored: false },
    ];
    expect(replacementOf(view, { ...draft, headers })).toEqual({
      name: 'one',
      transport: 'STREAMABLE_HTTP',
      url: 'https://example.org/mcp',
      callTimeoutSeconds: 30,
      trustAnnotations: false,
      enabled: true,
      headers: { 'X-Key': null, 'X-New': 'v' },
    });
  });

  it('says nothing of a sign-in client that was not changed, and keeps the rest of one that was', () => {
    expect(replacementOf(view)).not.toHaveProperty('oauth');
    const changed = replacementOf(view, { ...draftOf(view), scopes: 'read  write' });
    expect(changed.oauth).toEqual({
      clientId: 'client',
      redirectUri: 'http://localhost:9/x',
      scopes: ['read', 'write'],
    });
  });

  it('is a definition that the service takes, for a program and for an address', () => {
    const draft = { ...draftOf(null), name: 'new', command: 'npx', args: '-y\nserver', url: 'x' };
    expect(McpDefinition.parse(definitionOf(draft))).toMatchObject({
      command: 'npx',
      args: ['-y', 'server'],
      transport: 'STDIO',
    });
    expect(definitionOf(draft)).not.toHaveProperty('url');
    const remote = { ...draft, transport: 'SSE' as const, clientId: 'c', clientSecret: 's' };
    expect(McpDefinition.parse(definitionOf(remote))).toMatchObject({
      url: 'x',
      oauth: { clientId: 'c', clientSecret: 's' },
    });
  });

  it('has no name twice', () => {
    const pair = (name: string) => ({ key: 0, name, value: '', stored: false });
    expect(doubledName([pair('A'), pair('a'), pair(''), pair('')], false)).toBeNull();
    expect(doubledName([pair('A'), pair(' a')], true)).toBe('a');
  });
});
