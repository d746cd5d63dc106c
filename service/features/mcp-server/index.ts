/** The host as an MCP server: what its plugins can do, offered to other programs. */
export { serveTools, type Served } from './serve-tools.ts';
