// A stdio server that supports only the protocol revision 2026-07-28.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(
  () => {
    const server = new McpServer({ name: 'modern', version: '1' });
    const text = (said) => ({ content: [{ type: 'text', text: String(said) }] });
    const inputSchema = z.object({ message: z.string() });
    server.registerTool('echo', { description: 'Echoes.', inputSchema }, ({ message }) =>
      text(`Echo: ${message}`),
    );
    server.registerTool('pid', { description: 'Tells its process.' }, () => text(process.pid));
    server.registerTool('hang', { description: 'Never ends.' }, () => new Promise(() => undefined));
    server.registerTool('grow', { description: 'Has one tool more.' }, () => {
      server.registerTool('grown', { description: 'Is new.' }, () => text('new'));
      return text('grown');
    });
    server.registerPrompt('greet', { description: 'Greets.' }, () => ({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello.' } }],
    }));
    server.registerResource('note', 'note://one', {}, (uri) => ({
      contents: [{ uri: uri.href, text: 'A note.' }],
    }));
    return server;
  },
  { legacy: 'reject' },
);
