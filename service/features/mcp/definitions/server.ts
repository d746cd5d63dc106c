import type { McpDefinition } from '../../../contract/index.ts';

/** The definition of a server with its secrets decrypted. */
export interface McpServer extends Omit<McpDefinition, 'env' | 'headers'> {
  id: string;
  env: Record<string, string>;
  headers: Record<string, string>;
  /** From the file named at launch or from a plugin, and not editable. */
  builtIn: boolean;
  pluginId?: string;
}
