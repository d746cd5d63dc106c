import type { ChildProcess } from 'node:child_process';

/** Plain JSON-RPC over lines: no limits, timeouts or error handling. */
export function linePipe(
  child: ChildProcess,
): (params: unknown, done: (result: unknown) => void) => void {
  const pending = new Map<number, (result: unknown) => void>();
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    rest += chunk;
    if (!chunk.includes('\n')) return;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { id, result } = JSON.parse(line) as { id: number; result: unknown };
      const done = pending.get(id);
      pending.delete(id);
      done?.(result);
    }
  });
  let lastId = 0;
  return (params, done) => {
    lastId += 1;
    pending.set(lastId, done);
    const request = { jsonrpc: '2.0', id: lastId, method: 'echo', params };
    child.stdin?.write(`${JSON.stringify(request)}\n`);
  };
}
