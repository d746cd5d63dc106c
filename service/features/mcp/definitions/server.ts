import type { McpDefinition } from '../../../contract/index.ts';

/** A server as it is connected to, with its secrets in clear. */
export interface McpServer extends Omit<McpDefinition, 'env' | 'headers'> {
  id: string;
  env: Record<string, string>;
  headers: Record<string, string>;
  /** From the file named at launch, or from a plugin: not to be changed. */
  builtIn: boolean;
  pluginId?: string;
}
