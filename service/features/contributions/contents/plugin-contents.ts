import type { ContentWarning } from './content-warnings.ts';
import type { WrittenOAuth } from './mcp-oauth.ts';

/**
 * The parts that a manifest or a catalog entry names: raw JSON that may be a path, a list of paths,
 * or inline objects.
 */
export interface DeclaredParts {
  skills?: unknown;
  commands?: unknown;
  agents?: unknown;
  hooks?: unknown;
  mcpServers?: unknown;
}

/** Descriptive fields of a manifest, each one line without control characters. */
export interface PluginAbout {
  name: string | null;
  /** Display name. */
  title: string | null;
  version: string | null;
  description: string | null;
  author: string | null;
  /** An http or https address. */
  homepage: string | null;
  license: string | null;
  keywords: string[];
  category: string | null;
}

/**
 * A skill of a plugin. All paths are relative to the plugin and use `/`; `.` is the plugin itself.
 */
export interface Skill {
  name: string;
  description: string;
  directory: string;
  /** The file with the text: `SKILL.md` in any case. */
  path: string;
  /** All files in its folder and below, sorted, including `path`; at most 500. */
  files: string[];
}

/** A slash command of a plugin. */
export interface PluginCommand {
  /** Prefixed with the folders above the file: `git:commit`. */
  name: string;
  description: string;
  argumentHint: string | null;
  path: string;
}

/** An agent definition of a plugin. */
export interface PluginAgent {
  name: string;
  description: string;
  path: string;
}

/**
 * An MCP server as its author wrote it: `${…}` is not replaced, and `cwd` and `command` may be
 * relative to the plugin.
 */
export interface McpServerDefinition {
  name: string;
  transport: 'STDIO' | 'SSE' | 'STREAMABLE_HTTP';
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
  /** The OAuth client for signing in. */
  oauth?: WrittenOAuth;
  timeoutSeconds?: number;
}

/** Everything that a plugin contributes through files, sorted by name. */
export interface PluginContents {
  skills: Skill[];
  commands: PluginCommand[];
  agents: PluginAgent[];
  /** `from` is a file, or a manifest field for inline hooks; `document` is unvalidated JSON. */
  hookDocuments: { from: string; document: unknown }[];
  mcpServers: McpServerDefinition[];
  warnings: ContentWarning[];
}
