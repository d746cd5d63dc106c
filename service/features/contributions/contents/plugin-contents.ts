import type { ContentWarning } from './content-warnings.ts';
import type { WrittenOAuth } from './mcp-oauth.ts';

/** Which parts a manifest or a catalog entry names: raw JSON, a path, a list of paths, or inline objects. */
export interface DeclaredParts {
  skills?: unknown;
  commands?: unknown;
  agents?: unknown;
  hooks?: unknown;
  mcpServers?: unknown;
}

/** What a manifest tells of its plugin: one line each, free of control characters. */
export interface PluginAbout {
  name: string | null;
  /** The name for people. */
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

/** All paths are relative to the plugin, with `/` between their parts; `.` is the plugin itself. */
export interface Skill {
  name: string;
  description: string;
  directory: string;
  /** The file with the text, `SKILL.md` in whatever case its author wrote. */
  path: string;
  /** The files of its folder and below, sorted, `path` among them; at most 500. */
  files: string[];
}

export interface PluginCommand {
  /** Folders on the way to the file come first: `git:commit`. */
  name: string;
  description: string;
  argumentHint: string | null;
  path: string;
}

export interface PluginAgent {
  name: string;
  description: string;
  path: string;
}

/** As its author wrote it: `${…}` is not replaced, and `cwd` and `command` may be relative to the plugin. */
export interface McpServerDefinition {
  name: string;
  transport: 'STDIO' | 'SSE' | 'STREAMABLE_HTTP';
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
  /** The client that people sign in with. */
  oauth?: WrittenOAuth;
  timeoutSeconds?: number;
}

export interface PluginContents {
  skills: Skill[];
  commands: PluginCommand[];
  agents: PluginAgent[];
  /** `from` is the file, or the field for hooks that stand in the manifest; `document` is JSON as written. */
  hookDocuments: { from: string; document: unknown }[];
  mcpServers: McpServerDefinition[];
  warnings: ContentWarning[];
}
