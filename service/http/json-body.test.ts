import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HostError } from '../core/host-error.ts';
import { parseJson, readJsonBody } from './json-body.ts';
import { msg } from '../messages/index.ts';

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as HostError).code;
  }
  return 'nothing thrown';
}

describe('the JSON of a body', () => {
  it('may have 64 levels but not 65', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(nested(64))).toBeInstanceOf(Array);
    expect(codeOf(() => parseJson(nested(65)))).toBe('json_too_deep');
    expect(codeOf(() => parseJson(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`))).toBe(
      'json_too_deep',
    );
  });

  it('may contain 200 000 values and no more', () => {
    const zeros = (count: number): string => JSON.stringify(Array.from({ length: count }, () => 0));
    expect(parseJson(zeros(200_000))).toHaveLength(200_000);
    expect(codeOf(() => parseJson(zeros(200_001)))).toBe('json_too_complex');
    const bomb = `[${'[],'.repeat(10_000_000)}[]]`;
    const started = performance.now();
    expect(codeOf(() => parseJson(bomb))).toBe('json_too_complex');
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('may contain brackets in its texts', () => {
    const value = { text: '[{'.repeat(500), quoted: '\\"[[[', end: '\\\\' };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
  });

  it.each(['{"theme":', '', 'undefined', '{"a":1}}', '["unterminated'])(
    'that is invalid is refused: %s',
    (text) => {
      expect(codeOf(() => parseJson(text))).toBe('invalid_json');
    },
  );

  it('that is invalid is refused with the position of the error', () => {
    expect(() => parseJson('{\n  nope')).toThrow(
      expect.objectContaining({
        message:
          'The body is not valid JSON: a name in double quotes or } is expected (line 2, column 3).',
        errors: [
          {
            path: '',
            message: msg('json.at', {
              problem: msg('json.expectsNameOrEnd'),
              line: 2,
              column: 3,
            }),
            line: 2,
            column: 3,
          },
        ],
      }),
    );
  });
});

describe('an incoming body', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  /** Sends bytes to a server that reads one body, and resolves with its result. */
  async function read(
    bytes: string,
    options: { maxBytes?: number; stallMs?: number } = {},
  ): Promise<unknown> {
    return new Promise((resolve) => {
      server = createServer((req: IncomingMessage, res) => {
        readJsonBody(req, options.maxBytes ?? 1_000, options.stallMs)
          .then(resolve, (error: unknown) => resolve((error as HostError).code))
          .finally(() => res.destroy());
      }).listen(0, '127.0.0.1', () => {
        const { port } = server?.address() as AddressInfo;
        const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
        socket.on('error', () => undefined);
      });
    });
  }

  const head = (headers: string): string => `POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`;

  it('is parsed once it is complete', async () => {
    await expect(
      read(`${head('Content-Type: application/json; charset=utf-8\r\nContent-Length: 7')}{"a":1}`),
    ).resolves.toEqual({ a: 1 });
  });

  it('is undefined when none was announced', async () => {
    await expect(read(head('X: y'))).resolves.toBeUndefined();
  });

  it('that stalls is refused', async () => {
    await expect(
      read(`${head('Content-Type: application/json\r\nContent-Length: 7')}{"a"`, { stallMs: 100 }),
    ).resolves.toBe('body_stalled');
  });

  it('that is announced too large is refused unread', async () => {
    await expect(
      read(head('Content-Type: application/json\r\nContent-Length: 1001')),
    ).resolves.toBe('body_too_large');
  });

  it('that becomes too large is refused while it arrives', async () => {
    const chunk = `${(600).toString(16)}\r\n${' '.repeat(600)}\r\n`;
    await expect(
      read(head('Content-Type: application/json\r\nTransfer-Encoding: chunked') + chunk + chunk),
    ).resolves.toBe('body_too_large');
  });

  it.each(['text/plain', 'multipart/form-data', 'application/jsonx', ''])(
    'of another type is refused: %s',
    async (type) => {
      await expect(read(`${head(`Content-Type: ${type}\r\nContent-Length: 2`)}{}`)).resolves.toBe(
        'wrong_content_type',
      );
    },
  );

  it('that is compressed is refused unread', async () => {
    await expect(
      read(
        `${head('Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2')}xx`,
      ),
    ).resolves.toBe('compressed_body');
  });

  it('that is not UTF-8 is refused', async () => {
    const bytes = head('Content-Type: application/json\r\nContent-Length: 3');
    await expect(read(`${bytes}"\u00ff"`)).resolves.toBe('invalid_json');
  });
});
