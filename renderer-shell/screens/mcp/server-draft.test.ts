import { describe, expect, it } from 'vitest';
import type { McpServerView } from '../../../service/contract/index.ts';
import { McpDefinition } from '../../../service/contract/index.ts';
import {
  argsOf,
  argsText,
  definitionOf,
  duplicateName,
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
  it('has one argument per line, whatever it contains', () => {
    const args = ['-y', 'two words', '', '"quoted"', 'line\nbreak', '  spaces  '];
    expect(argsText(args).split('\n')).toHaveLength(args.length);
    expect(argsOf(argsText(args))).toEqual(args);
    expect(argsOf('-y\n\n"not closed\n')).toEqual(['-y', '"not closed']);
  });

  it('keeps unchanged values, and drops removed ones', () => {
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

  it('omits an unchanged sign-in client, and keeps the rest of a changed one', () => {
    expect(replacementOf(view)).not.toHaveProperty('oauth');
    const changed = replacementOf(view, { ...draftOf(view), scopes: 'read  write' });
    expect(changed.oauth).toEqual({
      clientId: 'client',
      redirectUri: 'http://localhost:9/x',
      scopes: ['read', 'write'],
    });
  });

  it('becomes a valid definition, for a program and for an address', () => {
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

  it('has no duplicate names', () => {
    const pair = (name: string) => ({ key: 0, name, value: '', stored: false });
    expect(duplicateName([pair('A'), pair('a'), pair(''), pair('')], false)).toBeNull();
    expect(duplicateName([pair('A'), pair(' a')], true)).toBe('a');
  });
});
