import { inParallel } from '../../core/in-parallel.ts';
import type { Plugin } from '../plugins/index.ts';
import type { PluginHook } from './hooks/plugin-hook.ts';
import type { McpServerDefinition } from './contents/plugin-contents.ts';
import { stampOf, watchedPaths } from './hooks/tree-stamp.ts';
import { trustedContent } from './hooks/trust-hash.ts';

const checksAtOnce = 4;
/** File systems count time in steps: a file that changed this shortly ago may change again unnoticed. */
const settledMs = 3_000;

/** What is there, as found by reading all of it. */
interface Content {
  hash: string;
  hooks: PluginHook[];
  servers: McpServerDefinition[];
}

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

export interface TrustedPartsOptions {
  plugins: () => Plugin[];
  /** Hash of the trusted content by plugin id. */
  hashes: () => Promise<ReadonlyMap<string, string>>;
  read: (plugin: Plugin) => Promise<Read>;
}

/**
 * What of plugins may run at this moment: hooks and MCP servers. Each time the files of their plugins are looked at; they are
 * read again only when one of them may have changed since.
 */
export class TrustedParts {
  readonly #options: TrustedPartsOptions;
  /** By the installed copy: an update is another one. */
  readonly #cached = new WeakMap<Plugin, CachedContent>();

  constructor(options: TrustedPartsOptions) {
    this.#options = options;
  }

  /** Of every enabled plugin whose content is the one that is trusted. */
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

  /** Whether that copy still is one of them. */
  async isTrusted(plugin: Plugin): Promise<boolean> {
    const present = this.#options.plugins().includes(plugin);
    if (!present || !plugin.enabled) return false;
    const trusted = (await this.#options.hashes()).get(plugin.id);
    return trusted !== undefined && (await this.#content(plugin))?.hash === trusted;
  }

  /** Null when it cannot be read, so that nothing of it runs. */
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
    // Otherwise something may have changed while it was read.
    if (changedMs < startedMs - settledMs) {
      this.#cached.set(plugin, { hash, hooks, servers, watched, stamp: digest });
    }
    return { hash, hooks, servers };
  }
}
