/**
 * The worker process of a plugin: JSON-RPC 2.0 over stdin and stdout, one object per line.
 *
 *     const worker = createWorker();
 *     worker.method('count', (params, call) => ({ words: 3 }));
 *     worker.run();
 *
 * Once this module is imported, console output goes to stderr, so that it cannot break the
 * protocol.
 */
import { inspect } from 'node:util';
import { OpenCall } from './open-call.mjs';
import { failed, RpcError, rpcCodes } from './rpc-error.mjs';
import { exitWhenWritten, notify, readLines, sendError } from './wire.mjs';

export { badParams, failed, RpcError, rpcCodes } from './rpc-error.mjs';

const MAX_OPEN_CALLS = 256;
const CAUSE_DEPTH = 4;
const MAX_LOG_LENGTH = 64 * 1024;
/** How long running calls may continue after stdin has ended. */
const CLOSE_TIMEOUT_MS = 2_000;
const CLOSE_POLL_MS = 10;
const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'];

/**
 * @typedef {Record<string, unknown>} Params
 * @typedef {import('./open-call.mjs').Call} Call
 * @typedef {(params: Params, call: Call) => unknown} Handler may be async. An `RpcError` is
 *   passed on to the caller; any other error becomes an internal error, whose text is only logged.
 * @typedef {Record<'trace' | 'debug' | 'info' | 'warn' | 'error', (message: string) => void>} Log
 * @typedef {{ pluginId: string, dataDirectory: string, locale: string, config: Params }} Settings
 */

class Worker {
  /** @type {Map<string, Handler>} */
  #handlers = new Map();
  /** @type {Map<unknown, OpenCall>} */
  #calls = new Map();
  /** @type {(settings: Settings) => unknown} */
  #initialize = () => undefined;
  #level = levelNamed(process.env['HOST_LOG_LEVEL']) ?? LEVELS.indexOf('INFO');
  #log = this.log('worker');

  /**
   * Registers a method of the manifest.
   * @param {string} name
   * @param {Handler} handler
   */
  method(name, handler) {
    this.#handlers.set(name, handler);
    return this;
  }

  /**
   * Registers a listener for the host's settings, called before the first method.
   * @param {(settings: Settings) => unknown} listener
   */
  onInitialize(listener) {
    this.#initialize = listener;
    return this;
  }

  /**
   * Returns a logger whose lines the host shows with the plugin.
   * @param {string} logger
   * @returns {Log}
   */
  log(logger) {
    const at = (/** @type {string} */ level) => (/** @type {string} */ message) =>
      this.#sendLog(level, logger, message);
    return {
      trace: at('TRACE'),
      debug: at('DEBUG'),
      info: at('INFO'),
      warn: at('WARN'),
      error: at('ERROR'),
    };
  }

  /** Handles requests until stdin ends, then ends the process. */
  run() {
    readLines({
      line: (text) => this.#receive(text),
      tooLong: () => refuse(null, rpcCodes.parse, 'A line is longer than 32 MiB.'),
      end: () => void this.#close(),
    });
  }

  async #close() {
    const giveUpAt = performance.now() + CLOSE_TIMEOUT_MS;
    while (this.#calls.size > 0 && performance.now() < giveUpAt) {
      await new Promise((resolve) => setTimeout(resolve, CLOSE_POLL_MS));
    }
    exitWhenWritten();
  }

  /** @param {string} line */
  #receive(line) {
    if (line.trim() === '') return;
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      refuse(null, rpcCodes.parse, 'The line is not JSON.');
      return;
    }
    if (isObject(message)) this.#dispatch(message);
    else refuse(null, rpcCodes.invalidRequest, 'A message must be one JSON object.');
  }

  /** @param {Record<string, unknown>} message */
  #dispatch(message) {
    const { id, method } = message;
    const params = message['params'] ?? {};
    const hasId = typeof id === 'string' || typeof id === 'number';
    if (typeof method !== 'string') {
      const isAnswer = 'result' in message || 'error' in message;
      if (!isAnswer) refuse(hasId ? id : null, rpcCodes.invalidRequest, "'method' is missing.");
    } else if (!('id' in message)) {
      if (isObject(params)) this.#receiveNotification(method, params);
    } else if (!hasId) {
      refuse(null, rpcCodes.invalidRequest, "'id' must be a string or a number.");
    } else if (isObject(params)) {
      this.#receiveRequest(id, method, params);
    } else {
      refuse(id, rpcCodes.badParams, "'params' must be an object.");
    }
  }

  /**
   * @param {string} method
   * @param {Params} params
   */
  #receiveNotification(method, params) {
    if (method === 'host.logLevel') {
      const wanted = levelNamed(params['level']);
      if (wanted === undefined) this.#log.warn(`Unknown log level: ${String(params['level'])}`);
      else this.#level = wanted;
    } else if (method === '$/cancelRequest') {
      this.#calls.get(params['id'])?.cancel();
    }
  }

  /**
   * @param {string | number} id
   * @param {string} method
   * @param {Params} params
   */
  #receiveRequest(id, method, params) {
    const handler = method === 'host.initialize' ? this.#initializer : this.#handlers.get(method);
    if (!handler) {
      refuse(id, rpcCodes.unknownMethod, `There is no method '${method}'.`);
    } else if (this.#calls.has(id)) {
      refuse(id, rpcCodes.invalidRequest, 'A call with this id is still running.');
    } else {
      const call = new OpenCall(id, () => this.#calls.delete(id));
      this.#calls.set(id, call);
      if (this.#calls.size <= MAX_OPEN_CALLS) void this.#run(call, method, handler, params);
      else call.fail(failed('The worker is busy. Try again in a moment.', 'busy'));
    }
  }

  #initializer = async (/** @type {Params} */ params) => {
    await this.#initialize(/** @type {Settings} */ (/** @type {unknown} */ (params)));
    return { methods: [...this.#handlers.keys()] };
  };

  /**
   * @param {OpenCall} call
   * @param {string} method
   * @param {Handler} handler
   * @param {Params} params
   */
  async #run(call, method, handler, params) {
    try {
      call.succeed(await handler(params, call.forHandler()));
    } catch (error) {
      if (error instanceof RpcError) {
        call.fail(error);
        return;
      }
      if (!call.isCancelled) this.#log.error(`The method ${method} failed.\n${stackOf(error)}`);
      const message = "The method failed. The plugin's log says why.";
      call.fail(new RpcError(rpcCodes.internal, message));
    }
  }

  /**
   * @param {string} level
   * @param {string} logger
   * @param {string} message
   */
  #sendLog(level, logger, message) {
    if (LEVELS.indexOf(level) < this.#level) return;
    const text =
      message.length > MAX_LOG_LENGTH ? `${message.slice(0, MAX_LOG_LENGTH)} …` : message;
    notify('host.log', { level, logger, thread: 'main', message: text });
  }
}

export const createWorker = () => new Worker();

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {unknown} name */
function levelNamed(name) {
  const index = LEVELS.indexOf(String(name).toUpperCase());
  return index < 0 ? undefined : index;
}

/**
 * Includes causes: a failed `fetch` gives its reason only there.
 * @param {unknown} error
 */
function stackOf(error) {
  return error instanceof Error ? inspect(error, { depth: CAUSE_DEPTH }) : String(error);
}

/**
 * @param {string | number | null} id
 * @param {number} code
 * @param {string} message
 */
function refuse(id, code, message) {
  sendError(id, { code, message });
}
