import { from } from './requirement.ts';

export const mcp = [
  ...from('MCP server', {
    'MCP-01': "A server's transport is `STDIO`, `SSE` or `STREAMABLE_HTTP`.",
    'MCP-02': 'Credentials are accepted in `env` and `headers`.',
  }),
  ...from('MCP server; Authentication', {
    'MCP-03': 'MCP credentials are never returned by the API.',
  }),
  ...from('What the service does', {
    'MCP-04': 'The tools of a managed server join the live tool catalog.',
  }),
  ...from('MCP', {
    'MCP-05': '`GET /api/mcp/status` answers the connections and the count of discovered tools.',
    'MCP-06':
      '`GET /api/mcp/servers` answers the managed servers, their connection state and tool names.',
    'MCP-07': '`POST /api/mcp/servers` takes a server definition and connects immediately.',
    'MCP-08':
      '`PUT /api/mcp/servers/{id}` closes the old session, reconnects and refreshes the tool catalog.',
    'MCP-09': '`DELETE /api/mcp/servers/{id}` disconnects and removes the server.',
    'MCP-10': '`POST /api/mcp/servers/{id}/test` reconnects, initializes and calls `tools/list`.',
    'MCP-11': '`POST /api/mcp/servers/{id}/call` `{tool, arguments}` answers the tool result.',
    'MCP-12': '`GET /api/mcp/servers/{id}/prompts` answers the prompts of the live session.',
    'MCP-13': '`GET /api/mcp/servers/{id}/resources` answers the resources of the live session.',
    'MCP-14':
      'An MCP address is either a host URL plus a separate endpoint path or the complete URL.',
    'MCP-15':
      'STDIO servers can be configured at startup with `spring.ai.mcp.client.stdio.servers-configuration=file:<path>`.',
  }),
  ...from('Authentication', {
    'MCP-16': 'MCP content from third parties is treated as untrusted.',
  }),
];
