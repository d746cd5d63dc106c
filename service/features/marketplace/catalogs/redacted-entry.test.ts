import { expect, it } from 'vitest';
import { redactedEntry } from './redacted-entry.ts';

it("shows only the names of a server's secrets, wherever they are", () => {
  const server = { command: 'npx', args: ['-y', 'x'], env: { KEY: 'secret' } };
  const remote = { url: 'https://example.com', headers: { Authorization: 'Bearer secret' } };
  const other = { url: 'https://example.com', http_headers: { 'X-Key': 'secret' } };
  const redacted = {
    one: { ...server, env: { KEY: '***' } },
    two: { ...remote, headers: { Authorization: '***' } },
    three: { ...other, http_headers: { 'X-Key': '***' } },
  };
  const entry = { name: 'x', env: { kept: 'as it is' } };
  expect(
    redactedEntry({ ...entry, mcpServers: { one: server, two: remote, three: other } }),
  ).toEqual({
    ...entry,
    mcpServers: redacted,
  });
  expect(redactedEntry({ ...entry, mcpServers: ['./.mcp.json', { one: server }] })).toEqual({
    ...entry,
    mcpServers: ['./.mcp.json', { one: redacted.one }],
  });
});

it('does not change an entry without servers', () => {
  const entry = { name: 'x', source: './x', mcpServers: './.mcp.json' };
  expect(redactedEntry(entry)).toBe(entry);
  expect(redactedEntry({ name: 'x' })).toEqual({ name: 'x' });
});
