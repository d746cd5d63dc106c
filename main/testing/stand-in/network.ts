/**
 * Models how Electron forwards requests of pages to a scheme of the app, and requests of the app to
 * the network.
 */

const shellOrigin = 'app://shell';

/** A request as the page makes it. */
export interface PageRequest extends RequestInit {
  /** Origin of the page; null for requests of the browser itself. */
  initiatorOrigin?: string | null;
}

/**
 * Returns the request that `protocol.handle` passes on: without the page's abort signal and without
 * an Origin of `null`, but with the origin of the page as a property.
 */
export function handedRequest(url: string, page: PageRequest = {}): Request {
  const { initiatorOrigin = shellOrigin, signal: _signal, ...init } = page;
  const headers = new Headers(init.headers);
  if (headers.get('origin') === 'null') headers.delete('origin');
  const request = new Request(url, { ...init, headers, duplex: 'half' } as RequestInit);
  return initiatorOrigin === null ? request : Object.assign(request, { initiatorOrigin });
}

const loadersPerHost = 6;

/** Loaders of `net.fetch`: six per host, each in use until its response has ended. */
export class Loaders {
  /** Number of loaders in use. */
  alive = 0;
  private readonly byHost = new Map<string, { alive: number; pending: (() => void)[] }>();

  fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    // The whole body is buffered before it is sent.
    const body = init.body ? await new Response(init.body).arrayBuffer() : null;
    const end = await this.begin(new URL(url).host);
    try {
      const answer = await fetch(url, { ...init, body });
      return new Response(answer.body && uncancelled(answer.body, end), answer);
    } catch (error) {
      end();
      throw error;
    }
  };

  private async begin(host: string): Promise<() => void> {
    const loaders = this.byHost.get(host) ?? { alive: 0, pending: [] };
    this.byHost.set(host, loaders);
    if (loaders.alive >= loadersPerHost)
      await new Promise<void>((resolve) => loaders.pending.push(resolve));
    loaders.alive += 1;
    this.alive += 1;
    return () => {
      loaders.alive -= 1;
      this.alive -= 1;
      loaders.pending.shift()?.();
    };
  }
}

/** Cancelling does not reach the loader, which continues until the other side ends. */
function uncancelled(body: ReadableStream<Uint8Array>, end: () => void): ReadableStream {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        end();
        throw error;
      });
      if (!done) return controller.enqueue(value);
      end();
      controller.close();
    },
  });
}
