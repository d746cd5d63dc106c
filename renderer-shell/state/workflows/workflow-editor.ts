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

/** Delay after the last change before it is stored, in milliseconds. */
const saveDelayMs = 900;
const saveLimitMs = 30_000;

/** `waiting` means that there are unsent changes. */
export type Saving = 'saved' | 'waiting' | 'saving' | 'failed';

/** The state of a workflow editor. */
export interface EditorState {
  /** The last stored version. */
  workflow: Workflow;
  history: History<WorkflowContent>;
  problems: readonly WorkflowProblem[];
  saving: Saving;
  /** Why the changes could not be stored. */
  error: unknown;
  /** The version that somebody else stored meanwhile. */
  theirs: Workflow | null;
}

/** The dependencies of `WorkflowEditor`. */
export interface EditorPorts {
  client: Client;
  /** Identifies the editing session: changes with the same id become one revision for a while. */
  editing: string;
  /** Called after changes were stored. */
  onSaved: () => void;
}

/** An open workflow; changes can be undone, and are stored after a short delay. */
export class WorkflowEditor {
  readonly state: Store<EditorState>;
  readonly #ports: EditorPorts;
  readonly #lock = new Mutex();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** The last content that was sent and stored. */
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

  /** Applies a change. Changes with the same `key` in quick succession are undone together. */
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
    this.#saveIn(saveDelayMs);
  }

  isSaved(): boolean {
    return this.content === this.#stored;
  }

  #saveIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), ms);
  }

  /** Stores pending changes at once. Resolves with true if everything is stored; never rejects. */
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

  /** Called when changes were reverted before they were sent. */
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

  /**
   * Keeps one of both versions; the other one can be restored by undoing, or from the revisions.
   */
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

  /** Replaces the content with a version that is already stored. */
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

  /** Like `save`, but rejects with the reason if not everything is stored. */
  async saved(): Promise<void> {
    do if (await this.save()) return;
    while (this.state.get().saving === 'waiting');
    const { error, theirs } = this.state.get();
    throw !theirs && error instanceof Error ? error : new PageError('flows.notSavedYet');
  }

  /** Requests the current problems, since plugins may have been added or removed. Never rejects. */
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

  /** Reads the workflow again, since somebody else may have changed it; local changes stay. */
  async refresh(): Promise<void> {
    const { workflow, saving } = this.state.get();
    if (saving !== 'saved') return void this.save();
    const params = { workflowId: workflow.id };
    const now = await this.#ports.client.call(api.workflows.show, { params });
    if (now.revision !== workflow.revision && this.isSaved()) this.take(now);
    else this.#patch({ workflow: { ...this.state.get().workflow, published: now.published } });
  }
}
