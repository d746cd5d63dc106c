import type { ContentBlock, Prompt } from '@modelcontextprotocol/client';
import type { McpConnection } from '../connection/mcp-connection.ts';
import { toHostError } from '../connection/session-errors.ts';

/** A person waits for it. */
const limitMs = 10_000;

/** The prompts of servers as commands of the chat, `mcp__<server>__<prompt>`. */
export class McpPrompts {
  private readonly connections: () => Iterable<McpConnection>;

  constructor(connections: () => Iterable<McpConnection>) {
    this.connections = connections;
  }

  /**
   * The text of a prompt, its arguments filled in by position, the last one with all that is left.
   * Null where no server has such a prompt.
   * @throws HostError of the server, such as for an argument that is missing
   */
  async text(command: string, values: readonly string[]): Promise<string | null> {
    const [, serverName, name] = /^mcp__(.+?)__(.+)$/.exec(command) ?? [];
    const connection = [...this.connections()].find(({ server }) => server.name === serverName);
    if (!connection || name === undefined) return null;
    const session = await connection.ready(limitMs);
    const signal = AbortSignal.timeout(limitMs);
    try {
      return await session.using(async () => {
        const prompts = await session.lists.listPrompts(signal);
        const prompt = prompts.find((one) => one.name === name);
        if (!prompt) return null;
        const request = { name, arguments: argumentsOf(prompt, values) };
        const { messages } = await session.client.getPrompt(request, { signal });
        return messages.map(({ content }) => textOf(content)).join('\n\n');
      });
    } catch (error) {
      throw toHostError(error, connection.server.name);
    }
  }
}

function argumentsOf(
  { arguments: parameters = [] }: Prompt,
  values: readonly string[],
): Record<string, string> {
  const entries = parameters.flatMap(({ name }, index): [string, string][] => {
    const isLast = index === parameters.length - 1;
    const text = isLast ? values.slice(index).join(' ') : (values[index] ?? '');
    return text === '' ? [] : [[name, text]];
  });
  return Object.fromEntries(entries);
}

function textOf(content: ContentBlock): string {
  if (content.type === 'text') return content.text;
  if (content.type === 'resource' && 'text' in content.resource) {
    const { uri, text } = content.resource;
    return `[resource ${uri}]\n${text}`;
  }
  return `[${content.type}]`;
}
