import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { describeWorker } from './testing/worker-behaviour.ts';

describe('a Node worker', () => {
  describeWorker('node');

  test('drops error data that JSON cannot represent, and keeps running', async () => {
    const library = new URL('node/worker.mjs', import.meta.url).href;
    const code = `
      import { createWorker, RpcError } from ${JSON.stringify(library)};
      const data = {};
      data.self = data;
      createWorker()
        .method('round', () => { throw new RpcError(-7, 'Round.', data); })
        .method('big', () => { throw new RpcError(-8, 'Big.', 1n); })
        .run();`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
    run.child.stdin?.end(
      '{"jsonrpc":"2.0","id":1,"method":"round"}\n{"jsonrpc":"2.0","id":2,"method":"big"}\n',
    );
    const { stdout } = await run;
    const answers = stdout.trim().split('\n');
    expect(answers.map((line) => JSON.parse(line) as unknown)).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -7, message: 'Round.' } },
      { jsonrpc: '2.0', id: 2, error: { code: -8, message: 'Big.' } },
    ]);
  });
});
