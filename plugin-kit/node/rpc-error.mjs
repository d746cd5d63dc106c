export const rpcCodes = Object.freeze({
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  badParams: -32602,
  internal: -32603,
  failed: -32000,
  cancelled: -32002,
});

/** An error whose message is passed on to the caller of a method. */
export class RpcError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   * @param {unknown} [data] any JSON value
   */
  constructor(code, message, data) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/**
 * Returns an error for invalid params. The message should say which values are valid.
 * @param {string} message
 * @param {unknown} [data]
 */
export const badParams = (message, data) => new RpcError(rpcCodes.badParams, message, data);

/**
 * Returns an error for an expected failure. `reason` is a stable identifier for programs.
 * @param {string} message
 * @param {string} reason
 */
export const failed = (message, reason) => new RpcError(rpcCodes.failed, message, { reason });
