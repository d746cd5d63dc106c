import type { Progress, Tool as McpTool } from '@modelcontextprotocol/client';
import type { Tool, ToolRun, ToolSource } from '../../tools/index.ts';
import type { McpConnection } from '../connection/mcp-connection.ts';
import type { Ask } from '../connection/questions.ts';
import { outputOf } from './call-output.ts';
import { isLarger } from './is-larger.ts';
import { visibleDescription } from './tool-description.ts';
import { effectOf } from './tool-effect.ts';
import { catalogName, namePrefix } from './tool-name.ts';

/** Time that a call waits for a disconnected server. */
export const callConnectMs = 10_000;
const maxDescriptionCharacters = 16_384;
const maxSchemaCharacters = 256 * 1024;

/** The tools of all servers that are, or were, connected; a disconnected server keeps its tools. */
export class McpToolSource implements ToolSource {
  readonly prefix = namePrefix;
  private readonly connections: () => Iterable<McpConnection>;
  /** Created once per list of a server, so that compiled schemas are kept. */
  private readonly made = new WeakMap<readonly McpTool[], Tool[]>();

  constructor(connections: () => Iterable<McpConnection>) {
    this.connections = connections;
  }

  list(): Tool[] {
    return [...this.connections()].flatMap((connection) => this.toolsOf(connection));
  }

  private toolsOf(connection: McpConnection): Tool[] {
    const { tools, server } = connection;
    if (!server.enabled || tools.length === 0) return [];
    const cached = this.made.get(tools);
    if (cached) return cached;
    const made = tools.flatMap((tool) => toolOf(connection, tool));
    this.made.set(tools, made);
    return made;
  }
}

/** A schema that is too large is not known. */
const resultSchemaOf = (schema: McpTool['outputSchema']): Pick<Tool, 'resultSchema'> =>
  schema === undefined || isLarger(schema, maxSchemaCharacters) ? {} : { resultSchema: schema };

function toolOf(connection: McpConnection, tool: McpTool): Tool[] {
  const { server } = connection;
  const { inputSchema, outputSchema } = tool;
  if (isLarger(inputSchema, maxSchemaCharacters)) return [];
  return [
    {
      name: catalogName(server.name, tool.name),
      description: visibleDescription(tool, maxDescriptionCharacters),
      inputSchema,
      ...resultSchemaOf(outputSchema),
      checksArguments: true,
      effect: effectOf(tool.annotations, server.trustAnnotations),
      run: async (call) => {
        const session = await connection.ready(callConnectMs);
        const timeoutMs = server.callTimeoutSeconds * 1_000;
        const { signal, onProgress, ask } = call;
        try {
          const reportProgress =
            onProgress && ((progress: Progress) => onProgress(progressText(progress)));
          const options = {
            signal,
            timeoutMs,
            ...(reportProgress ? { onProgress: reportProgress } : {}),
            ...(ask ? { ask: asking(server.name, ask) } : {}),
          };
          return outputOf(await session.call(tool.name, call.arguments, options));
        } catch (error) {
          signal.throwIfAborted();
          throw connection.toHostError(error, session.endReason);
        }
      },
    },
  ];
}

/** Asks questions of the server under its name. */
const asking =
  (server: string, ask: NonNullable<ToolRun['ask']>): Ask =>
  ({ message, text, requestedSchema = {} }, over) =>
    ask(
      { server, message, ...(text === undefined ? {} : { text }), schema: requestedSchema },
      over,
    );

function progressText({ progress, total, message }: Progress): string {
  const done = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? `${done}\n` : `${done}: ${message}\n`;
}
