import { Mutex } from 'async-mutex';
import type { PluginContentNames, PluginTrust } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { Topic } from '../../core/topic.ts';
import type { Plugin, PluginHost } from '../plugins/index.ts';
import { inParallel } from '../../core/in-parallel.ts';
import {
  type PluginContributions,
  namesOf,
  readContributions,
  serversOf,
} from './read-contributions.ts';
import type { PluginCommand, Skill } from './contents/plugin-contents.ts';
import { distinctNames } from './distinct-names.ts';
import { trustHash } from './hooks/trust-hash.ts';
import type { TrustStore } from './trust-store.ts';
import { TrustedParts } from './trusted-parts.ts';
import { msg, textOf } from '../../messages/index.ts';

/** Parallel readings; each reads many files itself. */
const readsAtOnce = 4;

/**
 * A skill of an enabled plugin; `root` is the plugin's directory, `files` are relative to the
 * skill's.
 */
export interface PluginSkill extends Skill {
  pluginId: string;
  root: string;
}

/** Skills refer to their files relative to their own folder. */
const below = (directory: string, file: string): string =>
  directory === '.' ? file : file.slice(directory.length + 1);

/**
 * Reads the contributions of installed plugins and decides whether their executable parts may run.
 */
export class Contributions {
  private readonly host: PluginHost;
  private readonly store: TrustStore;
  /** By installed copy, so an update has a new entry. */
  private readonly cached = new WeakMap<Plugin, Promise<PluginContributions>>();
  private readonly changing = new Mutex();
  /** The executable parts of enabled plugins whose content is trusted now. */
  readonly trustedParts: TrustedParts;
  /** Emits the id of a plugin whose trust was granted or revoked. */
  readonly trustChanged = new Topic<string>();

  constructor(host: PluginHost, store: TrustStore) {
    this.host = host;
    this.store = store;
    this.trustedParts = new TrustedParts({
      plugins: () => host.list(),
      hashes: () => store.all(),
      read: (plugin) => readContributions(plugin),
    });
  }

  /** Removes the trust of plugins that are not installed. New grants wait until it is finished. */
  sweep(): Promise<void> {
    const ids = this.host.list().map(({ id }) => id);
    return this.changing.runExclusive(() => this.store.keep(ids));
  }

  /** Contributions as they were at the first reading of the installed copy. */
  contributionsOf(plugin: Plugin): Promise<PluginContributions> {
    const reading = this.cached.get(plugin) ?? readContributions(plugin);
    this.cached.set(plugin, reading);
    reading.catch(() => this.cached.delete(plugin));
    return reading;
  }

  /** Undefined if the plugin contributes nothing. */
  async namesOf(plugin: Plugin): Promise<PluginContentNames | undefined> {
    return namesOf(await this.contributionsOf(plugin));
  }

  /** The contributions of all enabled plugins. */
  async ofEnabled(): Promise<{ plugin: Plugin; contributed: PluginContributions }[]> {
    const enabled = this.host.list().filter((plugin) => plugin.enabled);
    return inParallel(enabled, readsAtOnce, async (plugin) => ({
      plugin,
      contributed: await this.contributionsOf(plugin),
    }));
  }

  /** All skills under unique names. */
  async skills(): Promise<PluginSkill[]> {
    const all = (await this.ofEnabled()).flatMap(({ plugin, contributed }) =>
      contributed.contents.skills.map((skill) => ({
        ...skill,
        pluginId: plugin.id,
        root: plugin.directory,
        files: skill.files.map((file) => below(skill.directory, file)),
      })),
    );
    return distinctNames(all);
  }

  /** All commands under unique names. */
  async commands(): Promise<(PluginCommand & { pluginId: string; root: string })[]> {
    const all = (await this.ofEnabled()).flatMap(({ plugin, contributed }) =>
      contributed.contents.commands.map((command) => ({
        ...command,
        pluginId: plugin.id,
        root: plugin.directory,
      })),
    );
    return distinctNames(all);
  }

  /** All plugins with executable parts; their files are read again. */
  async trusts(): Promise<PluginTrust[]> {
    const trusted = await this.store.all();
    const all = await inParallel(this.host.list(), readsAtOnce, async (plugin) => {
      const contributed = await readContributions(plugin);
      return runsNothing(contributed)
        ? null
        : this.trustOf(plugin, contributed, trusted.get(plugin.id));
    });
    return all.filter((one) => one !== null);
  }

  /**
   * Trusts the present content, whose hash must be `seen` if that is set.
   * @throws HostError 404 `unknown_plugin`, 409 `nothing_to_trust`, `content_changed`
   */
  trust(pluginId: string, seen?: string): Promise<PluginTrust> {
    return this.changing.runExclusive(async () => {
      const plugin = this.host.get(pluginId);
      const contributed = await readContributions(plugin);
      if (runsNothing(contributed)) {
        const message = msg('contributions.nothingToTrust', { name: plugin.manifest.name });
        throw new HostError('conflict', 'nothing_to_trust', message);
      }
      const hash = await hashOf(plugin, contributed);
      if (seen !== undefined && seen !== hash) throw contentChanged();
      await this.store.trust(pluginId, hash);
      this.trustChanged.publish(pluginId);
      return this.trustOf(plugin, contributed, hash);
    });
  }

  untrust(pluginId: string): Promise<void> {
    this.host.get(pluginId);
    return this.changing.runExclusive(async () => {
      await this.store.forget(pluginId);
      this.trustChanged.publish(pluginId);
    });
  }

  /**
   * Revokes the trust of a plugin that was uninstalled. It never fails, since the plugin is gone
   * already.
   */
  drop(pluginId: string): Promise<void> {
    return this.changing.runExclusive(async () => {
      await this.store.drop(pluginId);
      this.trustChanged.publish(pluginId);
    });
  }

  private async trustOf(
    plugin: Plugin,
    contributed: PluginContributions,
    trusted: string | undefined,
  ): Promise<PluginTrust> {
    const { hooks, contents, warnings } = contributed;
    // A plugin that cannot be read completely is never trusted, and does not affect the others.
    const hash = await hashOf(plugin, { hooks, contents }).catch(() => null);
    const state = trusted === undefined ? 'untrusted' : hash === trusted ? 'trusted' : 'changed';
    return {
      pluginId: plugin.id,
      trusted: state === 'trusted',
      state,
      hooks,
      mcpServers: contents.mcpServers.map(({ name }) => name),
      servers: serversOf(contributed),
      hash,
      warnings: warnings.map(({ part, reason }) => ({
        part,
        reason: textOf(reason),
        reasonMessage: reason,
      })),
    };
  }
}

function contentChanged(): HostError {
  const message = msg('contributions.contentChanged');
  return new HostError('conflict', 'content_changed', message);
}

const runsNothing = ({ hooks, contents }: PluginContributions): boolean =>
  hooks.length === 0 && contents.mcpServers.length === 0;

const hashOf = (
  { directory }: Plugin,
  { hooks, contents }: Pick<PluginContributions, 'hooks' | 'contents'>,
): Promise<string> => trustHash(directory, { hooks, mcpServers: contents.mcpServers });
