// A stdio server that returns the path of its program and its PATH.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(() => {
  const server = new McpServer({ name: 'path', version: '1' });
  server.registerTool('told', { description: 'Tells.' }, () => ({
    content: [
      { type: 'text', text: JSON.stringify({ place: process.argv[2], path: process.env.PATH }) },
    ],
  }));
  return server;
});
