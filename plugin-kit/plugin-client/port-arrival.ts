/** The port from the shell and the data sent with it. */
export interface ArrivedPort {
  port: MessagePort;
  protocolVersion: string;
}

/** The parts of `window` that the bridge needs. */
export interface PageScope {
  readonly parent: unknown;
  readonly location: { readonly pathname: string };
  readonly document: { readonly readyState: string };
  addEventListener(type: string, listener: (event: MessageEvent<unknown>) => void): void;
  removeEventListener(type: string, listener: (event: MessageEvent<unknown>) => void): void;
}

/** Long enough for the shell to receive the load event; it answers greetings only after that. */
const GREETING_DELAY_MS = 100;

/**
 * Resolves with the first port from the parent window and ignores later ones. The shell sends a
 * port when the page has loaded. A script that runs after that sends a greeting, so that the shell
 * sends another port.
 */
export function awaitPort(page: PageScope): Promise<ArrivedPort> {
  const arrival = firstPort(page);
  if (page.document.readyState === 'complete' && page.parent !== page) {
    // The page cannot know the shell's origin (there are two possible), and the greeting contains
    // no data.
    const greet = () => (page.parent as Window).postMessage({ type: 'plugin.hello' }, '*');
    const greeting = setTimeout(greet, GREETING_DELAY_MS);
    void arrival.then(() => clearTimeout(greeting));
  }
  return arrival;
}

function firstPort(page: PageScope): Promise<ArrivedPort> {
  return new Promise((resolve) => {
    const onMessage = (event: MessageEvent<unknown>) => {
      const arrived = event.source === page.parent ? arrivedPort(event) : null;
      if (!arrived) return;
      page.removeEventListener('message', onMessage);
      resolve(arrived);
    };
    page.addEventListener('message', onMessage);
  });
}

function arrivedPort({ data, ports }: MessageEvent<unknown>): ArrivedPort | null {
  const message = (typeof data === 'object' ? data : null) as Record<string, unknown> | null;
  const [port] = ports;
  if (message?.['type'] !== 'host.port' || !port || ports.length !== 1) return null;
  return { port, protocolVersion: String(message['protocolVersion']) };
}

/** Resolves once the page and its resources have loaded, or after `limitMs`. */
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
