/** What the shell sends together with the port. */
export interface ArrivedPort {
  port: MessagePort;
  protocolVersion: string;
}

/** The parts of a window that the bridge needs. */
export interface PageScope {
  readonly parent: unknown;
  readonly location: { readonly pathname: string };
  readonly document: { readonly readyState: string };
  addEventListener(type: string, listener: (event: MessageEvent<unknown>) => void): void;
  removeEventListener(type: string, listener: (event: MessageEvent<unknown>) => void): void;
}

/**
 * Resolves with the first port that the parent window hands over; later ones are not taken.
 * The page announces itself, so that a script which runs after the load event gets its port too.
 */
export function awaitPort(page: PageScope): Promise<ArrivedPort> {
  return new Promise((resolve) => {
    const onMessage = (event: MessageEvent<unknown>) => {
      const arrived = event.source === page.parent ? arrivedPort(event) : null;
      if (!arrived) return;
      page.removeEventListener('message', onMessage);
      resolve(arrived);
    };
    page.addEventListener('message', onMessage);
    // The page cannot know the shell's origin (two are possible), and the greeting holds nothing.
    if (page.parent !== page) (page.parent as Window).postMessage({ type: 'plugin.hello' }, '*');
  });
}

function arrivedPort({ data, ports }: MessageEvent<unknown>): ArrivedPort | null {
  const message = (typeof data === 'object' ? data : null) as Record<string, unknown> | null;
  const [port] = ports;
  if (message?.['type'] !== 'host.port' || !port || ports.length !== 1) return null;
  return { port, protocolVersion: String(message['protocolVersion']) };
}

/** Resolves once the page and what belongs to it has been loaded, at the latest after `limitMs`. */
export function pageLoaded(page: PageScope, limitMs: number): Promise<void> {
  if (page.document.readyState === 'complete') return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    page.addEventListener('load', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
