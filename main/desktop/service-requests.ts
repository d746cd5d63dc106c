import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';

/** Statuses of responses without a body. */
const withoutBody = [204, 205, 304];

/**
 * Sends requests to the service and streams bodies. Uses node:http because `net.fetch` buffers
 * uploads in memory, allows only six streams per host, and does not cancel requests that the page
 * has abandoned.
 */
export class ServiceRequests {
  private readonly agent = new Agent({ keepAlive: true });

  async send(url: string, request: Request, headers: Headers): Promise<Response> {
    // Electron passes no abort signal, so cancelling the response body ends the request.
    const leaving = new AbortController();
    const { body, method } = request;
    const sent = sendRequest(url, {
      method,
      headers: Object.fromEntries(headers),
      agent: this.agent,
      signal: leaving.signal,
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      // Stays attached for later errors, which the streams report as well.
      sent.on('error', reject);
    });
    if (body) pipeline(Readable.fromWeb(body as WebStream), sent).catch(() => undefined);
    else sent.end();
    const incoming = await answered;
    const { statusCode: status = 502 } = incoming;
    if (status >= 300 && status < 400 && status !== 304) {
      leaving.abort();
      throw new Error(`The service sends on from ${url}.`);
    }
    const answer = { status, headers: headersOf(incoming) };
    if (withoutBody.includes(status)) {
      incoming.resume();
      return new Response(null, answer);
    }
    return new Response(bodyOf(incoming, leaving), answer);
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

/** Aborts the request when the reader cancels the body. */
function bodyOf(incoming: IncomingMessage, leaving: AbortController): ReadableStream<Uint8Array> {
  const reader = (Readable.toWeb(incoming) as ReadableStream<Uint8Array>).getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        leaving.abort();
        await reader.cancel(reason).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
