/** The host as an MCP server that offers the tools of its plugins to other programs. */
export { serveTools, type Served } from './serve-tools.ts';
