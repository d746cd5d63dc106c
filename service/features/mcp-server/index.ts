/** The host as an MCP server: what its plugins can do, offered to other programs. */
export { serveTools, type ServeOptions, type Served } from './serve-tools.ts';
export type { ServedGate } from './served-gate.ts';
