import type { PluginError } from './api.ts';

export const errorCodes = {
  cancelled: -32002,
  otherVersion: -32010,
  noHost: -32014,
  closed: -32015,
  foreignPage: -32016,
  failed: -32000,
  invalidParams: -32602,
} as const;

export function pluginError(code: number, message: string, data?: unknown): PluginError {
  const error = Object.assign(new Error(message), { code });
  error.name = code === errorCodes.cancelled ? 'AbortError' : 'PluginError';
  return data === undefined ? error : Object.assign(error, { data });
}

/** Converts the `error` of a reply; returns an error with a code and a message for any input. */
export function errorOfReply(value: unknown): PluginError {
  const { code, message, data } = (value ?? {}) as Record<string, unknown>;
  return pluginError(
    typeof code === 'number' ? code : errorCodes.failed,
    typeof message === 'string' ? message : 'The host refused the call.',
    data,
  );
}
