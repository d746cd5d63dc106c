import { inParallel } from '../../core/in-parallel.ts';
import type { Plugin } from '../plugins/index.ts';
import type { PluginHook } from './hooks/plugin-hook.ts';
import type { McpServerDefinition } from './contents/plugin-contents.ts';
import { stampOf, watchedPaths } from './hooks/tree-stamp.ts';
import { trustedContent } from './hooks/trust-hash.ts';

const checksAtOnce = 4;
/** Timestamps have a resolution: a file that changed this recently could change again unnoticed. */
const settledMs = 3_000;

/** The result of a complete reading. */
interface Content {
  hash: string;
  hooks: PluginHook[];
  servers: McpServerDefinition[];
}

/** A trusted plugin with the parts that may run. */
export interface TrustedPlugin {
  plugin: Plugin;
  hooks: PluginHook[];
  servers: McpServerDefinition[];
}

interface CachedContent extends Content {
  watched: string[];
  stamp: string;
}

interface Read {
  hooks: PluginHook[];
  contents: { mcpServers: McpServerDefinition[] };
}

/** Sources of plugins, their trusted hashes and their files. */
export interface TrustedPartsOptions {
  plugins: () => Plugin[];
  /** Hash of the trusted content by plugin id. */
  hashes: () => Promise<ReadonlyMap<string, string>>;
  read: (plugin: Plugin) => Promise<Read>;
}

/**
 * Finds the hooks and MCP servers that may run at this moment. Each call checks the metadata of the
 * plugins' files; they are read again only if one may have changed.
 */
export class TrustedParts {
  readonly #options: TrustedPartsOptions;
  /** By installed copy, so an update has a new entry. */
  readonly #cached = new WeakMap<Plugin, CachedContent>();

  constructor(options: TrustedPartsOptions) {
    this.#options = options;
  }

  /** The parts of every enabled plugin whose present content is trusted. */
  async now(): Promise<TrustedPlugin[]> {
    const hashes = await this.#options.hashes();
    const asked = this.#options.plugins().filter(({ id, enabled }) => enabled && hashes.has(id));
    const found = await inParallel(asked, checksAtOnce, async (plugin) => {
      const content = await this.#content(plugin);
      const trusted = content !== null && content.hash === hashes.get(plugin.id);
      if (!trusted) return [];
      const { hooks, servers } = content;
      return [{ plugin, hooks, servers }];
    });
    return found.flat();
  }

  /** True if this copy is still installed, enabled and trusted. */
  async isTrusted(plugin: Plugin): Promise<boolean> {
    const present = this.#options.plugins().includes(plugin);
    if (!present || !plugin.enabled) return false;
    const trusted = (await this.#options.hashes()).get(plugin.id);
    return trusted !== undefined && (await this.#content(plugin))?.hash === trusted;
  }

  /** Null if it cannot be read, so that nothing of it runs. */
  async #content(plugin: Plugin): Promise<Content | null> {
    try {
      return (await this.#unchanged(plugin)) ?? (await this.#readAll(plugin));
    } catch {
      return null;
    }
  }

  async #unchanged(plugin: Plugin): Promise<Content | null> {
    const cached = this.#cached.get(plugin);
    if (cached === undefined) return null;
    const { digest } = await stampOf(plugin.directory, cached.watched);
    return digest === cached.stamp ? cached : null;
  }

  async #readAll(plugin: Plugin): Promise<Content> {
    this.#cached.delete(plugin);
    const startedMs = Date.now();
    const { directory } = plugin;
    const { hooks, contents } = await this.#options.read(plugin);
    const servers = contents.mcpServers;
    const parts = { hooks, mcpServers: servers };
    const { hash, counted } = await trustedContent(directory, parts);
    const watched = await watchedPaths(directory, counted);
    const { digest, changedMs } = await stampOf(directory, watched);
    // A file that changed recently could have changed during the reading.
    if (changedMs < startedMs - settledMs) {
      this.#cached.set(plugin, { hash, hooks, servers, watched, stamp: digest });
    }
    return { hash, hooks, servers };
  }
}
