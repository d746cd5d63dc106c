// An MCP server over stdio that returns the lists of its first argument (JSON: {tools, prompts,
// resources}) in the protocol era of its second one (`legacy` or `modern`). A tool returns its
// name.
import { answerLines } from './answer-lines.mjs';

const lists = JSON.parse(process.argv[2] ?? '{}');
const isModern = process.argv[3] === 'modern';
const stamp = isModern ? { resultType: 'complete' } : {};
const cached = isModern ? { ...stamp, ttlMs: 0, cacheScope: 'private' } : {};
const capabilities = Object.fromEntries(Object.keys(lists).map((name) => [name, {}]));
const listed = (name) => () => ({ ...cached, [name]: lists[name] ?? [] });

const answers = {
  ...(isModern
    ? {
        'server/discover': () => ({
          ...cached,
          ...{ supportedVersions: ['2026-07-28'], capabilities },
        }),
      }
    : {
        initialize: () => ({
          ...{ protocolVersion: '2025-06-18', capabilities },
          serverInfo: { name: 'listing', version: '1' },
        }),
        ping: () => ({}),
      }),
  'tools/list': listed('tools'),
  'prompts/list': listed('prompts'),
  'resources/list': listed('resources'),
  'tools/call': ({ name }) => ({ ...stamp, content: [{ type: 'text', text: name }] }),
};

answerLines(answers);
