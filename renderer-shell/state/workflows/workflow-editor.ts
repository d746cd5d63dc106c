import { isTransient } from '../../core/session/is-transient.ts';
import { Mutex } from 'async-mutex';
import type { Client } from '../../../service/client/index.ts';
import { ServiceError } from '../../../service/client/index.ts';
import type { Workflow } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Store } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import { backOffMs } from '../../core/wait.ts';
import type { WorkflowContent } from './workflow-content.ts';
import { contentOf, sentContent } from './workflow-content.ts';
import type { Graph } from './graph.ts';
import type { History } from './history.ts';
import { after, historyOf, redone, undone } from './history.ts';
import { PageError } from '../../core/messages/page-error.ts';
import type { WorkflowProblem } from './problems.ts';

/** After the last change. */
const quietMs = 900;
const saveLimitMs = 30_000;

/** `waiting`: there are changes that were not sent yet. */
export type Saving = 'saved' | 'waiting' | 'saving' | 'failed';

/** A workflow under edit, stored a moment after each change. */
export interface EditorState {
  /** As it was stored last. */
  workflow: Workflow;
  history: History<WorkflowContent>;
  problems: readonly WorkflowProblem[];
  saving: Saving;
  /** Why it was not stored. */
  error: unknown;
  /** Somebody else stored another version meanwhile: that one. */
  theirs: Workflow | null;
}

/** Connections of an editor to the service and to the list of workflows. */
export interface EditorPorts {
  client: Client;
  /** Under what name changes are stored: those of one page are one revision for a while. */
  editing: string;
  /** It was stored. */
  onSaved: () => void;
}

/** A workflow that is open: what is changed can be taken back, and is stored by and by. */
export class WorkflowEditor {
  readonly state: Store<EditorState>;
  readonly #ports: EditorPorts;
  readonly #lock = new Mutex();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** What was sent and stored last. */
  #stored: WorkflowContent;

  constructor(ports: EditorPorts, workflow: Workflow) {
    this.#ports = ports;
    this.#stored = contentOf(workflow);
    this.state = createStore<EditorState>({
      workflow,
      history: historyOf(this.#stored),
      problems: workflow.problems ?? [],
      saving: 'saved',
      error: null,
      theirs: null,
    });
  }

  get content(): WorkflowContent {
    return this.state.get().history.present;
  }

  #patch(change: Partial<EditorState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }

  /** Changes with one `key` that follow each other soon are taken back together. */
  change(content: Partial<WorkflowContent>, key?: string): void {
    const { history } = this.state.get();
    const present = { ...history.present, ...content };
    const isSame = Object.entries(content).every(
      ([name, value]) => history.present[name as keyof WorkflowContent] === value,
    );
    if (!isSame) this.#take(after(history, present, { key, atMs: Date.now() }));
  }

  changeGraph(change: (graph: Graph) => Graph, key?: string): void {
    this.change({ graph: change(this.content.graph) }, key);
  }

  undo(): void {
    this.#take(undone(this.state.get().history));
  }

  redo(): void {
    this.#take(redone(this.state.get().history));
  }

  #take(history: History<WorkflowContent>): void {
    if (history === this.state.get().history) return;
    this.#patch({ history, saving: 'waiting' });
    this.#saveIn(quietMs);
  }

  isSaved(): boolean {
    return this.content === this.#stored;
  }

  #saveIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), ms);
  }

  /** Stores what was changed, at once. Resolves with whether all of it is stored; never rejects. */
  save(): Promise<boolean> {
    clearTimeout(this.#timer);
    return this.#lock.runExclusive(async () => {
      const { theirs, workflow } = this.state.get();
      if (theirs) return false;
      if (!this.isSaved()) await this.#send(workflow.revision);
      else this.#settled();
      return this.isSaved();
    });
  }

  /** What was changed was changed back before it was sent. */
  #settled(): void {
    if (this.state.get().saving === 'saved') return;
    this.#failures = 0;
    this.#patch({ saving: 'saved', error: null });
    void this.check();
  }

  async #send(revision: number | undefined): Promise<void> {
    const content = this.content;
    const { id } = this.state.get().workflow;
    const { client, editing } = this.#ports;
    this.#patch({ saving: 'saving' });
    const sent = sentContent(content);
    try {
      const workflow = await client.call(api.workflows.update, {
        params: { workflowId: id },
        body: { ...sent, draft: true, editing, ...(revision !== undefined && { revision }) },
        signal: AbortSignal.timeout(saveLimitMs),
      });
      this.#failures = 0;
      this.#stored = content;
      const { published } = this.state.get().workflow;
      this.#patch({
        workflow: { ...workflow, published },
        problems: workflow.problems ?? [],
        error: null,
        saving: this.isSaved() ? 'saved' : 'waiting',
      });
      this.#ports.onSaved();
    } catch (error) {
      await this.#refused(error);
    }
  }

  async #refused(error: unknown): Promise<void> {
    const { code, errors } = error instanceof ServiceError ? error.problem : {};
    if (code === 'stale_revision') return this.#readTheirs();
    if (code === 'invalid_workflow' && errors)
      return this.#patch({ saving: 'failed', error, problems: errors });
    this.#patch({ saving: 'failed', error });
    if (!isTransient(error)) return;
    this.#failures += 1;
    this.#saveIn(backOffMs(this.#failures));
  }

  async #readTheirs(): Promise<void> {
    const { workflow } = this.state.get();
    try {
      const params = { workflowId: workflow.id };
      const theirs = await this.#ports.client.call(api.workflows.show, { params });
      this.#patch({ saving: 'failed', theirs });
    } catch (error) {
      this.#patch({ saving: 'failed', error });
    }
  }

  /** Takes one of both versions; the other can be had back by undoing, or from the revisions. */
  async settle(choice: 'mine' | 'theirs'): Promise<void> {
    const { theirs, history } = this.state.get();
    if (!theirs) return;
    if (choice === 'theirs') {
      this.take(theirs);
      return;
    }
    this.#patch({ theirs: null, workflow: theirs, history, saving: 'waiting' });
    await this.save();
  }

  /** A version that is stored already takes the place of what is shown. */
  take(workflow: Workflow): void {
    clearTimeout(this.#timer);
    const { history } = this.state.get();
    this.#stored = contentOf(workflow);
    const next = after(history, this.#stored, { atMs: Date.now() });
    this.#patch({
      workflow,
      history: next,
      theirs: null,
      error: null,
      saving: 'saved',
      problems: workflow.problems ?? [],
    });
    this.#ports.onSaved();
    void this.check();
  }

  /** Rejects with `ServiceError`. */
  async publish(published: boolean): Promise<void> {
    await this.saved();
    const params = { workflowId: this.state.get().workflow.id };
    try {
      const { client } = this.#ports;
      const workflow = await client.call(api.workflows.publish, { params, body: { published } });
      this.#patch({ workflow });
    } catch (error) {
      const errors = error instanceof ServiceError ? error.problem.errors : undefined;
      if (errors) this.#patch({ problems: errors });
      throw error;
    }
    this.#ports.onSaved();
  }

  /** As `save`, but rejects with why not all of it is stored. */
  async saved(): Promise<void> {
    do if (await this.save()) return;
    while (this.state.get().saving === 'waiting');
    const { error, theirs } = this.state.get();
    throw !theirs && error instanceof Error ? error : new PageError('flows.notSavedYet');
  }

  /** Asks what is wrong with it now: a plugin may have come or gone. Never rejects. */
  async check(): Promise<void> {
    const { content } = this;
    const { graph, inputSchema } = sentContent(content);
    try {
      await this.#ports.client.call(api.workflows.compile, { body: { graph, inputSchema } });
      if (content === this.content) this.#patch({ problems: [] });
    } catch (error) {
      const errors = error instanceof ServiceError ? error.problem.errors : undefined;
      if (errors && content === this.content) this.#patch({ problems: errors });
    }
  }

  /** Reads it again, for somebody else may have changed it; what was changed here stays. */
  async refresh(): Promise<void> {
    const { workflow, saving } = this.state.get();
    if (saving !== 'saved') return void this.save();
    const params = { workflowId: workflow.id };
    const now = await this.#ports.client.call(api.workflows.show, { params });
    if (now.revision !== workflow.revision && this.isSaved()) this.take(now);
    else this.#patch({ workflow: { ...this.state.get().workflow, published: now.published } });
  }
}
