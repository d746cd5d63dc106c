import type { z } from 'zod';
import type { Client } from '../../service/client/index.ts';
import { ServiceError } from '../../service/client/index.ts';
import { api } from '../../service/contract/index.ts';
import {
  bridgeCodes,
  BridgeFailure,
  CancelParams,
  InvokeParams,
  NotifyParams,
} from './bridge-messages.ts';
import type { CallLanes } from './call-lanes.ts';
import type { BridgeHost } from './port-session.ts';

/** A worker may be given a day; the service ends calls by itself before that. */
const INVOKE_LIMIT_MS = 86_460_000;

export interface BridgeHostOptions {
  pluginId: string;
  client: Client;
  lanes: CallLanes;
  look(): { theme: 'light' | 'dark'; locale: string };
  /** Shows a notice inside the frame's area. */
  showNotice(notice: NotifyParams): void;
  showMismatch(theirVersion: string): void;
  /** A call of the worker ended, well or not. */
  invoked(failed: boolean): void;
}

/** The bridge's methods for the plugin of one frame. */
export function createBridgeHost(options: BridgeHostOptions): BridgeHost {
  const waiting = new Map<string, AbortController>();

  async function invoke(params: unknown, closing: AbortSignal): Promise<unknown> {
    const call = checked(InvokeParams, params);
    const queued = new AbortController();
    waiting.set(call.callId, queued);
    const signal = AbortSignal.any([closing, queued.signal]);
    try {
      return await options.lanes.run(options.pluginId, signal, () => {
        waiting.delete(call.callId);
        return send(call, closing);
      });
    } catch (error) {
      if (!queued.signal.aborted) throw error;
      throw new BridgeFailure(bridgeCodes.cancelled, 'The call was cancelled.');
    } finally {
      if (waiting.get(call.callId) === queued) waiting.delete(call.callId);
    }
  }

  async function send(call: z.output<typeof InvokeParams>, closing: AbortSignal): Promise<unknown> {
    let failed = true;
    try {
      const answer = await options.client.call(api.plugins.invoke, {
        params: { id: options.pluginId },
        body: call,
        signal: AbortSignal.any([closing, AbortSignal.timeout(INVOKE_LIMIT_MS)]),
      });
      failed = false;
      if (!('error' in answer)) return answer.result;
      const { code, message, data } = answer.error;
      throw new BridgeFailure(code, message, data);
    } finally {
      options.invoked(failed);
    }
  }

  async function cancel(params: unknown): Promise<boolean> {
    const { callId } = checked(CancelParams, params);
    const queued = waiting.get(callId);
    if (queued) {
      queued.abort();
      return true;
    }
    const answer = await options.client.call(api.plugins.cancel, {
      params: { id: options.pluginId, callId },
    });
    return answer.cancelled;
  }

  async function notify(params: unknown): Promise<void> {
    const notice = checked(NotifyParams, params);
    try {
      await options.client.call(api.notifications.create, {
        body: { ...notice, source: `plugin:${options.pluginId}` },
      });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.problem.status !== 403) throw error;
      options.showNotice(notice);
    }
  }

  const methods: Record<string, (params: unknown, closing: AbortSignal) => Promise<unknown>> = {
    invoke,
    cancel,
    notify,
    pickFile: () => cannot('let you choose a file'),
    pickDirectory: () => cannot('let you choose a directory'),
    createOutput: () => cannot('make an output for a plugin'),
    exportOutput: () => cannot('export an output of a plugin'),
  };

  return {
    facts: () => ({ pluginId: options.pluginId, ...options.look(), capabilities: [] }),
    mismatch: options.showMismatch,
    async handle(name, params, closing) {
      const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
      if (!method) return cannot(`carry out “${name}”`);
      return method(params, closing).catch((error: unknown) => {
        throw asFailure(error);
      });
    },
  };
}

function cannot(what: string): Promise<never> {
  return Promise.reject(new BridgeFailure(bridgeCodes.methodNotFound, `This host cannot ${what}.`));
}

function checked<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 10).map(({ path, message }) => ({
    path: path.join('.'),
    message,
  }));
  const [first] = issues;
  throw new BridgeFailure(
    bridgeCodes.invalidParams,
    `The parameters are not right: ${first?.path ?? ''} ${first?.message ?? ''}`.trim(),
    { errors: issues },
  );
}

/** The number of a problem that carries none of its own. */
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
