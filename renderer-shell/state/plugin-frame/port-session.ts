import { bridgeProtocolVersion } from '../../../service/contract/index.ts';
import type { BridgeError, BridgeEvents, BridgeReply } from './bridge-messages.ts';
import { bridgeCodes, BridgeFailure, BridgeRequest, ReadyParams } from './bridge-messages.ts';

const MAX_CALLS_IN_FLIGHT = 64;
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Texts of the error overlay in the page of a plugin under development. */
export interface OverlayTexts {
  title: string;
  dismiss: string;
}

/** Facts that a page receives when it connects. */
export interface PageFacts {
  pluginId: string;
  theme: 'light' | 'dark';
  locale: string;
  capabilities: string[];
  errorOverlay?: OverlayTexts;
}

/** The methods that the host offers to a page; each rejects with `BridgeFailure`. */
export interface BridgeHost {
  /** Returns the data for a page that connects; the protocol version is added here. */
  facts(): PageFacts;
  handle(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** Called when the page uses another version of the bridge. */
  mismatch(theirVersion: string): void;
}

/**
 * The connection to one loaded page. Several ports may be offered, because a page whose script
 * started late has missed the first one; the port that the page uses first is the only one from
 * then on.
 */
export class PortSession {
  readonly #host: BridgeHost;
  readonly #closing = new AbortController();
  readonly #offered = new Set<MessagePort>();
  #claimed: MessagePort | null = null;
  #ready = false;
  #inFlight = 0;

  constructor(host: BridgeHost) {
    this.#host = host;
  }

  get offers(): number {
    return this.#offered.size;
  }

  get claimed(): boolean {
    return this.#claimed !== null;
  }

  /** Listens on a port whose other end is being sent to the page. */
  offer(port: MessagePort): void {
    this.#offered.add(port);
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (this.#closing.signal.aborted) return;
      this.#claim(port);
      void this.#receive(port, data);
    };
    // The other end is gone with its document, so nobody expects the responses any more.
    port.addEventListener('close', () => {
      if (this.#claimed === port) this.close();
    });
  }

  send<E extends keyof BridgeEvents>(event: E, data: BridgeEvents[E]): void {
    if (this.#ready) this.#claimed?.postMessage({ event, data });
  }

  close(): void {
    this.#closing.abort();
    for (const port of this.#offered) port.close();
    this.#offered.clear();
  }

  #claim(port: MessagePort): void {
    if (this.#claimed) return;
    this.#claimed = port;
    for (const other of this.#offered) if (other !== port) other.close();
  }

  async #receive(port: MessagePort, data: unknown): Promise<void> {
    const parsed = BridgeRequest.safeParse(data);
    if (!parsed.success) return;
    const { id } = parsed.data;
    const reply = await this.#answer(parsed.data).then(
      (result): BridgeReply => ({ id, result }),
      (error: unknown): BridgeReply => ({ id, error: bridgeErrorOf(error) }),
    );
    if (!this.#closing.signal.aborted) port.postMessage(reply);
  }

  async #answer({ method, params }: BridgeRequest): Promise<unknown> {
    if (method === 'host.ready') return this.#connect(params);
    if (!this.#ready) {
      throw new BridgeFailure(bridgeCodes.notReady, 'Call PluginClient.ready() first.');
    }
    if (this.#inFlight >= MAX_CALLS_IN_FLIGHT) {
      throw new BridgeFailure(
        bridgeCodes.tooManyCalls,
        `At most ${MAX_CALLS_IN_FLIGHT} calls may wait at a time. Wait for some of them to end.`,
      );
    }
    refuseLarge(params);
    this.#inFlight += 1;
    try {
      return await this.#host.handle(method, params, this.#closing.signal);
    } finally {
      this.#inFlight -= 1;
    }
  }

  #connect(params: unknown): unknown {
    const ready = ReadyParams.safeParse(params);
    const version = ready.success ? ready.data.protocolVersion : 'none';
    if (version !== bridgeProtocolVersion) {
      this.#host.mismatch(version);
      throw new BridgeFailure(
        bridgeCodes.otherVersion,
        `This page speaks version ${version} of the plugin bridge, the host speaks version ` +
          `${bridgeProtocolVersion}. Update the plugin or the host.`,
      );
    }
    this.#ready = true;
    return { protocolVersion: bridgeProtocolVersion, ...this.#host.facts() };
  }
}

/** Messages are forwarded as JSON, so the limit applies to the length of the JSON. */
function refuseLarge(params: unknown): void {
  let text: string;
  try {
    text = JSON.stringify(params) ?? '';
  } catch {
    throw new BridgeFailure(bridgeCodes.invalidParams, 'The parameters cannot be written as JSON.');
  }
  if (text.length <= MAX_MESSAGE_BYTES / 4) return;
  if (new TextEncoder().encode(text).length <= MAX_MESSAGE_BYTES) return;
  throw new BridgeFailure(
    bridgeCodes.tooLarge,
    'The message is larger than 32 MiB. Hand over large data as a file.',
  );
}

function bridgeErrorOf(error: unknown): BridgeError {
  if (error instanceof BridgeFailure) return error.error;
  return { code: bridgeCodes.failed, message: 'The host could not carry out the call.' };
}
