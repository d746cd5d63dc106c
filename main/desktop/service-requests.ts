import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';

/** Statuses whose answers have no body. */
const withoutBody = [204, 205, 304];

/**
 * Asks the service, and passes bodies on as they come. Node asks: `net.fetch` would hold an upload in
 * memory, let six streams block all other requests, and not end those that the page has left.
 */
export class ServiceRequests {
  private readonly agent = new Agent({ keepAlive: true });

  async send(url: string, request: Request, headers: Headers): Promise<Response> {
    // The page that leaves ends this: Electron gives the request no signal.
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
      // Stays for what goes wrong later, which the streams tell as well.
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

/** Ends the request when whoever reads it gives up. */
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
