export const rpcCodes = Object.freeze({
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  badParams: -32602,
  internal: -32603,
  failed: -32000,
  cancelled: -32002,
});

/** A failure that the caller of a method is told about, word for word. */
export class RpcError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   * @param {unknown} [data] anything that JSON can carry
   */
  constructor(code, message, data) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/**
 * The params do not fit; say in the message what would.
 * @param {string} message
 * @param {unknown} [data]
 */
export const badParams = (message, data) => new RpcError(rpcCodes.badParams, message, data);

/**
 * An expected failure. `reason` is a stable word for programs.
 * @param {string} message
 * @param {string} reason
 */
export const failed = (message, reason) => new RpcError(rpcCodes.failed, message, { reason });
