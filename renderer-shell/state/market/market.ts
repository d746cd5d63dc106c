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

/** Everything behind the store of one shell; it lives on while something else is shown. */
export class Market {
  readonly listing: Listing;
  readonly installs: Installs;
  readonly filter = createStore<Filter>(noFilter);
  readonly question = createStore<Question | null>(null);
  /** The last "update all"; null before the first. */
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

  /** What is in a plugin that is not installed; rejects with `ServiceError`, or as `signal` says. */
  preview(id: string, signal: AbortSignal): Promise<PluginPreview> {
    return this.#shell.client.call(api.market.look, { params: { id }, signal });
  }

  /** Has catalogues read anew: those of these sources, or of all that are enabled. Never rejects. */
  async check(sourceIds?: readonly string[]): Promise<void> {
    await this.listing.check(sourceIds);
    await this.#shell.plugins.refresh();
  }

  /** Begins at once where there is nothing that a person should know first. Never rejects. */
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
   * Shows what a plugin is before anything is installed, always: a link asked, which any page may hold.
   * What a person is being asked already stays in front of them. Never rejects.
   */
  async offer(id: string): Promise<void> {
    // On a new machine no catalogue has been read yet.
    const plugin = await this.details(id)
      .catch(() => this.check().then(() => this.details(id)))
      .catch(() => null);
    if (plugin === null || this.question.get() !== null) return;
    if (!plugin.installed && plugin.installable) this.question.set({ kind: 'install', plugin });
    else if (plugin.updateAvailable) this.question.set({ kind: 'update', plugin });
  }

  answer(goOn: boolean): void {
    const question = this.question.get();
    this.question.set(null);
    if (goOn && question) void this.installs.start(question.kind, question.plugin.id);
  }

  /** Updates what asks for nothing new; the others are left for a person to look at. */
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
