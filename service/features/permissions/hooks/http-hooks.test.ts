import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aCall, httpHook, nobody, runnerOf } from '../../../testing/hook-runner.ts';
import { serveWeb, type WebServer } from '../../../testing/web-server.ts';
import type { HookOutcome, RunnableHook } from './hook-runner.ts';
import { englishText } from '../../../testing/english-text.ts';

async function serve(answer: RequestListener): Promise<WebServer> {
  const server = await serveWeb(answer);
  onTestFinished(() => server.close());
  return server;
}

async function ask(
  answer: RequestListener,
  more: Partial<RunnableHook> = {},
): Promise<HookOutcome> {
  const server = await serve(answer);
  const { runner } = await runnerOf([httpHook(`${server.base}/hook`, more)]);
  return runner.run(aCall({ event: more.event ?? 'pre_tool_use' }), nobody);
}

const respond =
  (body: string, status = 200): RequestListener =>
  (_req, res) =>
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
const json = (document: unknown, status = 200): RequestListener =>
  respond(JSON.stringify(document), status);
const nothing = { decision: 'none', warnings: [] };
const failed = (message: RegExp): HookOutcome => ({
  decision: 'none',
  warnings: [{ hook: 'guard', message: englishText(message) }],
});

describe('an HTTP hook', () => {
  it('[HOOK-10] receives the event as a JSON body in a POST request', async () => {
    const asked: { method?: string; url?: string; type?: string; body: unknown }[] = [];
    const remember = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
      const { method, url, headers } = req;
      asked.push({ method, url, type: headers['content-type'], body: JSON.parse(await text(req)) });
      res.end();
    };
    expect(await ask((req, res) => void remember(req, res))).toEqual(nothing);
    expect(asked).toEqual([
      {
        method: 'POST',
        url: '/hook',
        type: 'application/json',
        body: expect.objectContaining({
          event: 'pre_tool_use',
          tool: 'execute_command',
          arguments: { command: 'git push' },
          hook_event_name: 'PreToolUse',
          tool_name: 'execute_command',
          tool_input: { command: 'git push' },
        }) as unknown,
      },
    ]);
  });

  it.each([
    ['deny', { decision: 'deny', reason: 'R' }],
    ['deny', { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'R' } }],
    ['deny', { continue: false, stopReason: 'R' }],
    ['ask', { decision: 'ask', reason: 'R' }],
    ['allow', { decision: 'approve', reason: 'R' }],
  ])('decides %s with %j', async (decision, document) => {
    const outcome = { decision, reason: 'R', hook: 'guard', warnings: [] };
    expect(await ask(json(document))).toEqual(outcome);
    expect(await ask(json(document, 201))).toEqual(outcome);
  });

  it('makes no decision with an empty response or an empty document', async () => {
    expect(await ask(respond('', 200))).toEqual(nothing);
    expect(await ask(respond('', 204))).toEqual(nothing);
    expect(await ask(respond(' \n'))).toEqual(nothing);
    expect(await ask(json({}))).toEqual(nothing);
  });

  it.each([400, 401, 403, 404, 422, 500, 503])(
    'cannot deny with status %i, whatever its body',
    async (status) => {
      const answer = json({ decision: 'deny', reason: 'No.' }, status);
      expect(await ask(answer)).toEqual(failed(new RegExp(`^The hook returned ${status}\\.$`)));
    },
  );

  it('has no effect if it responds with text, a list or broken JSON', async () => {
    expect(await ask(respond('denied'))).toEqual(failed(/did not return a JSON object/));
    expect(await ask(respond('["deny"]'))).toEqual(failed(/did not return a JSON object/));
    expect(await ask(respond('{"decision":"deny"'))).toEqual(failed(/JSON that is not valid/));
  });

  it('has its redirects ignored', async () => {
    let others = 0;
    const other = await serve((_req, res) => {
      others += 1;
      res.end('{"decision":"deny"}');
    });
    const redirect: RequestListener = (_req, res) =>
      res.writeHead(307, { Location: `${other.base}/` }).end();
    expect(await ask(redirect)).toEqual(failed(/returned 307; redirects are not followed/));
    expect(others).toBe(0);
  });

  it('has no effect if its response exceeds 1 MiB, and is disconnected', async () => {
    let sent = 0;
    const endless: RequestListener = (_req, res) => {
      const write = (): void => {
        for (let hasCapacity = true; hasCapacity && !res.destroyed; sent += 65_536) {
          hasCapacity = res.write(Buffer.alloc(65_536, ' '));
        }
      };
      res.on('drain', write).on('error', () => undefined);
      write();
    };
    expect(await ask(endless)).toEqual(failed(/more than 1 MiB/));
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    const long = json({ decision: 'deny', reason: 'R', more: 'x'.repeat(900_000) });
    expect(await ask(long)).toMatchObject({ decision: 'deny', reason: 'R' });
  });

  it('has no effect if its response is late or stalls', async () => {
    const slow = { timeoutSeconds: 0.3 };
    expect(await ask(() => undefined, slow)).toEqual(failed(/took longer than its 0\.3 s/));
    const half: RequestListener = (_req, res) => void res.write('{"decision":');
    expect(await ask(half, slow)).toEqual(failed(/took longer than its 0\.3 s/));
  });

  it('has no effect if the connection breaks or is refused', async () => {
    const half: RequestListener = (_req, res) => {
      res.writeHead(200, { 'Content-Length': '100' });
      res.write('{"decision":"deny"}', () => res.destroy());
    };
    expect(await ask(half)).toEqual(failed(/closed the connection before its response|ECONNRESET/));
    const closedServer = await serveWeb(respond(''));
    await closedServer.close();
    const secret = `http://user:pass-word@127.0.0.1:${closedServer.port}/?key=pass-word`;
    const { runner, log } = await runnerOf([httpHook(secret)]);
    const outcome = await runner.run(aCall(), nobody);
    expect(outcome).toEqual(failed(/could not be reached \(ECONNREFUSED\)/));
    expect(JSON.stringify([outcome, runner.status(), log.errors])).not.toContain('pass-word');
  });

  it('[HOOK-15] of another event is only observed', async () => {
    const deny = json({ decision: 'deny', reason: 'No.' });
    expect(await ask(deny, { event: 'post_tool_use' })).toEqual(nothing);
  });

  it('is disconnected when the call is cancelled', async () => {
    const server = await serve(() => undefined);
    const { runner } = await runnerOf([httpHook(server.base)]);
    const cancelled = new AbortController();
    const running = runner.run(aCall(), cancelled.signal);
    await expect.poll(() => server.connections()).toBe(1);
    cancelled.abort(new Error('The turn was cancelled.'));
    await expect(running).rejects.toThrow('The turn was cancelled.');
    await expect.poll(() => server.connections()).toBe(0);
    expect(runner.status()).toEqual([]);
  });

  it('returns its response when it is tested', async () => {
    const server = await serve((_req, res) => {
      void delay(5).then(() => res.end('{"decision":"ask","reason":"Sure?"}'));
    });
    const { runner } = await runnerOf([]);
    const tested = await runner.test(httpHook(server.base));
    expect(tested).toEqual({
      decision: 'ask',
      reason: 'Sure?',
      timedOut: false,
      stdout: '{"decision":"ask","reason":"Sure?"}',
      stderr: '',
      durationMs: expect.any(Number) as number,
    });
  });
});
