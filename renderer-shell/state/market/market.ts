import type {
  MarketplacePlugin,
  PluginDetails,
  PluginPreview,
} from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Shell } from '../shell.ts';
import { createStore } from '../../core/store.ts';
import type { Filter } from './filter.ts';
import { noFilter } from './filter.ts';
import type { UpdateRound } from './installing.ts';
import { Installs } from './installs.ts';
import { Listing } from './listing.ts';
import type { Question } from './question.ts';
import { needsConfirmation, asksForSettings } from './question.ts';

/** The state of the store of one shell; it persists while another area is open. */
export class Market {
  readonly listing: Listing;
  readonly installs: Installs;
  readonly filter = createStore<Filter>(noFilter);
  readonly question = createStore<Question | null>(null);
  /** The last use of "Update all"; null before the first. */
  readonly round = createStore<UpdateRound | null>(null);
  readonly #shell: Shell;

  constructor(shell: Shell) {
    this.#shell = shell;
    this.listing = new Listing(shell.client, shell.closing);
    this.installs = new Installs(shell.client, shell.closing, async (id, { kind, state }) => {
      await Promise.all([shell.plugins.refresh(), this.listing.refresh()]);
      if (state !== 'completed') return;
      const installed = shell.plugins.find(id);
      if (installed && asksForSettings(installed, kind === 'install'))
        shell.view.patch({ configure: id });
    });
  }

  details(id: string): Promise<PluginDetails> {
    return this.#shell.client.call(api.market.details, { params: { id } });
  }

  /**
   * Returns the content of a plugin that is not installed; rejects with `ServiceError`, or with the
   * abort reason of `signal`.
   */
  preview(id: string, signal: AbortSignal): Promise<PluginPreview> {
    return this.#shell.client.call(api.market.look, { params: { id }, signal });
  }

  /** Reads catalogs again: those of the given sources, or of all enabled ones. Never rejects. */
  async check(sourceIds?: readonly string[]): Promise<void> {
    await this.listing.check(sourceIds);
    await this.#shell.plugins.refresh();
  }

  /** Starts at once if nothing needs a confirmation. Never rejects. */
  async request(kind: Question['kind'], id: string): Promise<void> {
    try {
      const plugin = await this.details(id);
      if (needsConfirmation({ kind, plugin })) this.question.set({ kind, plugin });
      else void this.installs.start(kind, id);
    } catch (error) {
      this.installs.refuse(kind, id, error);
    }
  }

  /**
   * Always asks before an installation, because the request comes from a link, which any page may
   * contain. An open question stays open. Never rejects.
   */
  async offer(id: string): Promise<void> {
    // On a first start no catalog has been read yet.
    const plugin = await this.details(id)
      .catch(() => this.check().then(() => this.details(id)))
      .catch(() => null);
    if (plugin === null || this.question.get() !== null) return;
    if (!plugin.installed && plugin.installable) this.question.set({ kind: 'install', plugin });
    else if (plugin.updateAvailable) this.question.set({ kind: 'update', plugin });
  }

  answer(confirmed: boolean): void {
    const question = this.question.get();
    this.question.set(null);
    if (confirmed && question) void this.installs.start(question.kind, question.plugin.id);
  }

  /** Updates the plugins that need no confirmation; the others are left to the user. */
  async updateAll(plugins: readonly MarketplacePlugin[]): Promise<void> {
    const ids = plugins.map(({ id }) => id);
    const asks = new Set<string>();
    const errors = new Map<string, unknown>();
    const publish = () => this.round.set({ ids, asks: new Set(asks), errors: new Map(errors) });
    for (const id of ids) this.#forgetEnded(id);
    publish();
    const started: Promise<void>[] = [];
    for (const id of ids) {
      try {
        if (needsConfirmation({ kind: 'update', plugin: await this.details(id) })) asks.add(id);
        else started.push(this.installs.start('update', id));
      } catch (error) {
        errors.set(id, error);
      }
      publish();
    }
    await Promise.all(started);
  }

  #forgetEnded(id: string): void {
    const state = this.installs.state.get().get(id)?.state;
    if (state === 'failed' || state === 'cancelled' || state === 'completed')
      this.installs.dismiss(id);
  }
}

const markets = new WeakMap<Shell, Market>();

export function marketOf(shell: Shell): Market {
  const market = markets.get(shell) ?? new Market(shell);
  markets.set(shell, market);
  return market;
}
