import type { z } from 'zod';
import type { Client } from '../../../service/client/index.ts';
import { ServiceError } from '../../../service/client/index.ts';
import type { InvokeReply } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { BridgeFiles } from './bridge-files.ts';
import {
  type BridgeEvents,
  bridgeCodes,
  BridgeFailure,
  CancelParams,
  rejectUnsupported,
  ExportParams,
  InvokeParams,
  LogParams,
  type NotifyOutcome,
  NotifyParams,
  OutputParams,
  PickParams,
} from './bridge-messages.ts';
import { issueProblems } from '../../core/messages/issue-problems.ts';
import type { CallLimiter } from '../../core/call-limiter.ts';
import type { BridgeHost, OverlayTexts } from './port-session.ts';

/** A worker may run for a day; the service ends calls before that. */
const INVOKE_LIMIT_MS = 86_460_000;

/** The dependencies of `PluginBridgeHost`. */
export interface BridgeHostOptions {
  pluginId: string;
  client: Client;
  limiter: CallLimiter;
  files: BridgeFiles;
  appearance: () => { theme: 'light' | 'dark'; locale: string };
  /** Texts of the overlay that shows errors in the page; null if it is off. */
  errorOverlay: () => OverlayTexts | null;
  /** Sends the progress of a call to the page. */
  progress: (progress: BridgeEvents['progress']) => void;
  /** Shows a notification inside the frame's area. */
  showNotification: (notification: NotifyParams) => void;
  showMismatch: (theirVersion: string) => void;
  /** Called when a call of the worker has ended. */
  invoked: (failed: boolean) => void;
}

/** Limit of reports from one frame. */
const MAX_REPORTS = 200;

type Call = z.output<typeof InvokeParams>;
type Method = (params: unknown, closing: AbortSignal) => Promise<unknown>;

/** The bridge methods for the plugin page of one frame. */
export class PluginBridgeHost implements BridgeHost {
  readonly #options: BridgeHostOptions;
  /** Number of reports since the page was loaded. */
  #logged = 0;
  /** Calls that wait for a connection, by their id. */
  readonly #queued = new Map<string, AbortController>();
  readonly #methods: Record<string, Method> = {
    invoke: (params, closing) => this.#invoke(checked(InvokeParams, params), closing),
    log: (params, closing) => this.#log(checked(LogParams, params), closing),
    cancel: (params) => this.#cancel(checked(CancelParams, params).callId),
    notify: (params, closing) => this.#notify(checked(NotifyParams, params), closing),
    pickFile: (params, closing) => this.#pick('file', params, closing),
    pickDirectory: (params, closing) => this.#pick('directory', params, closing),
    createOutput: (params, closing) =>
      this.#options.files.createOutput(checked(OutputParams, params ?? {}).name, closing),
    exportOutput: (params, closing) =>
      this.#options.files.exportOutput(checked(ExportParams, params).ref.id, closing),
  };

  constructor(options: BridgeHostOptions) {
    this.#options = options;
  }

  facts() {
    const { pluginId, appearance, errorOverlay } = this.#options;
    const facts = { pluginId, ...appearance(), capabilities: ['files'] };
    const texts = errorOverlay();
    return texts === null ? facts : { ...facts, errorOverlay: texts };
  }

  mismatch(theirVersion: string): void {
    this.#options.showMismatch(theirVersion);
  }

  async handle(name: string, params: unknown, closing: AbortSignal): Promise<unknown> {
    const method = Object.hasOwn(this.#methods, name) ? this.#methods[name] : undefined;
    if (!method) return rejectUnsupported(`carry out “${name}”`);
    try {
      return await method(params, closing);
    } catch (error) {
      throw asFailure(error);
    }
  }

  async #invoke(call: Call, closing: AbortSignal): Promise<unknown> {
    const { pluginId, limiter } = this.#options;
    const queued = new AbortController();
    this.#queued.set(call.callId, queued);
    const forget = () => {
      if (this.#queued.get(call.callId) === queued) this.#queued.delete(call.callId);
    };
    try {
      return await limiter.run(pluginId, AbortSignal.any([closing, queued.signal]), () => {
        forget();
        return this.#send(call, closing);
      });
    } catch (error) {
      if (!queued.signal.aborted) throw error;
      throw new BridgeFailure(bridgeCodes.cancelled, 'The call was cancelled.');
    } finally {
      forget();
    }
  }

  async #send(call: Call, closing: AbortSignal): Promise<unknown> {
    const { client, pluginId, invoked } = this.#options;
    let failed = true;
    try {
      const { progress: wantsProgress = false, ...body } = call;
      const input = {
        params: { id: pluginId },
        body,
        signal: AbortSignal.any([closing, AbortSignal.timeout(INVOKE_LIMIT_MS)]),
      };
      const answer = wantsProgress
        ? await this.#withProgress(input)
        : await client.call(api.plugins.invoke, input);
      failed = false;
      if (!('error' in answer)) return answer.result;
      const { code, message, data } = answer.error;
      throw new BridgeFailure(code, message, data);
    } finally {
      invoked(failed);
    }
  }

  /** Returns the result, which is the last event of the stream. */
  async #withProgress(input: {
    params: { id: string };
    body: Omit<Call, 'progress'>;
    signal: AbortSignal;
  }): Promise<InvokeReply> {
    for await (const event of this.#options.client.stream(api.plugins.invoke, input)) {
      if (event.event === 'progress') this.#options.progress(event.data);
      else if (event.event === 'result') return event.data;
    }
    throw new BridgeFailure(bridgeCodes.failed, 'The host ended the call without an answer.');
  }

  /**
   * Drops reports beyond the limit, which nobody could read. Answers with the position in the
   * author's source.
   */
  async #log(body: z.output<typeof LogParams>, signal: AbortSignal): Promise<unknown> {
    const { client, pluginId } = this.#options;
    this.#logged += 1;
    if (this.#logged > MAX_REPORTS) return {};
    return client.call(api.plugins.addPageLog, { params: { id: pluginId }, body, signal });
  }

  async #cancel(callId: string): Promise<boolean> {
    const queued = this.#queued.get(callId);
    if (queued) {
      queued.abort();
      return true;
    }
    const params = { id: this.#options.pluginId, callId };
    const answer = await this.#options.client.call(api.plugins.cancel, { params });
    return answer.cancelled;
  }

  #pick(kind: 'file' | 'directory', params: unknown, closing: AbortSignal): Promise<unknown> {
    const { access } = checked(PickParams, params ?? {});
    return this.#options.files.pick({ kind, access }, closing);
  }

  async #notify(notification: NotifyParams, closing: AbortSignal): Promise<NotifyOutcome> {
    const { client, limiter, pluginId, showNotification } = this.#options;
    try {
      const body = { ...notification, source: `plugin:${pluginId}` };
      await limiter.run(pluginId, closing, () =>
        client.call(api.notifications.create, { body, signal: closing }),
      );
      return { center: 'host' };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.problem.status !== 403) throw error;
      showNotification(notification);
      return { center: 'page' };
    }
  }
}

function checked<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const issues = issueProblems(parsed.error.issues, params).slice(0, 10);
  const [first] = issues;
  throw new BridgeFailure(
    bridgeCodes.invalidParams,
    `The parameters are not right: ${first?.path ?? ''} ${first?.message ?? ''}`.trim(),
    { errors: issues },
  );
}

/** Bridge error codes for problems that have no code of their own. */
const codeOfProblem: Record<string, number> = {
  unknown_method: bridgeCodes.methodNotFound,
  invalid_params: bridgeCodes.invalidParams,
  worker_crashed: -32001,
  call_cancelled: bridgeCodes.cancelled,
  plugin_disabled: -32003,
  worker_timed_out: -32004,
};

function asFailure(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { code, status, detail, errors, rpcCode } = error.problem;
  return new BridgeFailure(rpcCode ?? codeOfProblem[code] ?? bridgeCodes.failed, detail, {
    code,
    status,
    ...(errors ? { errors } : {}),
  });
}
