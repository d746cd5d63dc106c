import type { NewPrompt, NewProvider } from '../../contract/index.ts';
import type { HostText } from '../../messages/index.ts';

/** A part of a configuration that is not imported, or not completely. */
export interface ImportWarning {
  name: string;
  reason: HostText;
}

/** The parts of another program's configuration in the host's terms. */
export interface FoundParts {
  /** MCP servers by name, in the usual format of `mcpServers`. */
  servers: Record<string, unknown>;
  /** Providers with their keys. */
  providers: NewProvider[];
  prompts: NewPrompt[];
  warnings: ImportWarning[];
}

export const nothing = (): FoundParts => ({
  servers: {},
  providers: [],
  prompts: [],
  warnings: [],
});
