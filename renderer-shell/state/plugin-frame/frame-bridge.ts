import { bridgeProtocolVersion } from '../../../service/contract/index.ts';
import type { BridgeEvents } from './bridge-messages.ts';
import type { BridgeHost } from './port-session.ts';
import { PortSession } from './port-session.ts';

/** One when the page has loaded, and one more for a script that started later. */
const MAX_OFFERS_PER_LOAD = 2;

/** The dependencies of `FrameBridge`. */
export interface FrameBridgeOptions {
  /** Returns the window of the frame; null while it has none. */
  frame: () => Pick<Window, 'postMessage'> | null;
  /** The window that receives the greetings of pages. */
  shell: Pick<Window, 'addEventListener' | 'removeEventListener'>;
  host: BridgeHost;
}

/**
 * The host side of the bridge for one plugin frame. The sender is identified by the frame alone: a
 * port is passed only to its window, and only messages on that port count. Each load gets a new
 * port; the earlier one is closed, whatever the frame contains now.
 */
export class FrameBridge {
  readonly #options: FrameBridgeOptions;
  #session: PortSession | null = null;

  constructor(options: FrameBridgeOptions) {
    this.#options = options;
    options.shell.addEventListener('message', this.#onGreeting);
  }

  /** Must be called at every load event of the frame. */
  loaded(): void {
    this.#session?.close();
    this.#session = new PortSession(this.#options.host);
    this.#offer(this.#session);
  }

  send<E extends keyof BridgeEvents>(event: E, data: BridgeEvents[E]): void {
    this.#session?.send(event, data);
  }

  close(): void {
    this.#options.shell.removeEventListener('message', this.#onGreeting);
    this.#session?.close();
    this.#session = null;
  }

  readonly #onGreeting = ({ source, data }: MessageEvent<unknown>): void => {
    const frame = this.#options.frame();
    if (frame === null || source !== frame) return;
    if ((data as { type?: unknown } | null)?.type !== 'plugin.hello') return;
    const session = this.#session;
    if (session && !session.claimed && session.offers < MAX_OFFERS_PER_LOAD) this.#offer(session);
  };

  #offer(session: PortSession): void {
    const frame = this.#options.frame();
    if (!frame) return;
    const { port1, port2 } = new MessageChannel();
    session.offer(port1);
    // The origin of a sandboxed page is opaque, so '*' is the only possible target.
    frame.postMessage({ type: 'host.port', protocolVersion: bridgeProtocolVersion }, '*', [port2]);
  }
}
