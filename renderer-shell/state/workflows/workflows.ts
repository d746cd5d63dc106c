import type { Client } from '../../../service/client/index.ts';
import type {
  NewWorkflow,
  RunSummary,
  Workflow,
  WorkflowSummary,
} from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { AgentRun } from '../agent/agent-run.ts';
import { SearchedList } from '../searched-list.ts';
import type { Shell } from '../shell.ts';
import type { Store } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import { WorkflowChats } from './workflow-chats.ts';
import { WorkflowEditor } from './workflow-editor.ts';
import type { NodeKinds } from './node-kinds.ts';
import { createStoredChats } from './stored-chats.ts';
import type { RunFormValues } from './run-inputs.ts';

export type LoadState<T> =
  { kind: 'loading' } | { kind: 'failed'; error: unknown } | { kind: 'ready'; value: T };

/**
 * Limit of editors in memory; the first one opened is dropped first, unless it has unsaved changes.
 */
const maxOpen = 8;

/** The workflows of the shell: their list, the node types, and the open ones. */
export class Workflows {
  readonly list: SearchedList<WorkflowSummary>;
  readonly kinds = createStore<LoadState<NodeKinds>>({ kind: 'loading' });
  readonly client: Client;
  readonly chats: WorkflowChats;
  /** The editing session of this page. */
  readonly #editing = crypto.randomUUID();
  readonly #editors = new Map<string, WorkflowEditor>();
  readonly #forms = new Map<string, Store<RunFormValues>>();
  readonly #runs = new Map<string, Store<AgentRun | null>>();

  constructor(client: Client, chats: WorkflowChats) {
    this.client = client;
    this.chats = chats;
    this.list = new SearchedList({
      read: (query) => client.call(api.workflows.list, { query }),
      idOf: ({ id }) => id,
    });
  }

  refreshKinds(): Promise<void> {
    return read(this.kinds, async () => {
      const nodes = await this.client.call(api.workflows.nodes);
      return new Map(nodes.map((node) => [node.type, node]));
    });
  }

  /** Resolves with its id; rejects with `ServiceError`. */
  async create(body: Pick<NewWorkflow, 'name'> & Partial<NewWorkflow>): Promise<string> {
    const draft = { graph: { nodes: [], edges: [] }, ...body, draft: true };
    return this.#added(await this.client.call(api.workflows.create, { body: draft }));
  }

  async import(document: unknown): Promise<string> {
    const body = document as Pick<NewWorkflow, 'name'>;
    return this.#added(await this.client.call(api.workflows.import, { body }));
  }

  async duplicate(workflowId: string): Promise<string> {
    await this.#editors.get(workflowId)?.save();
    return this.#added(await this.client.call(api.workflows.duplicate, { params: { workflowId } }));
  }

  async remove(workflowId: string): Promise<void> {
    await this.client.call(api.workflows.remove, { params: { workflowId } });
    this.#editors.delete(workflowId);
    this.#runs.delete(workflowId);
    this.chats.forget(workflowId);
    await this.list.refresh();
  }

  async #added({ id }: Workflow): Promise<string> {
    await this.list.refresh();
    return id;
  }

  /** Returns the editor of a workflow with its current content. Rejects with `ServiceError`. */
  async open(workflowId: string): Promise<WorkflowEditor> {
    const existing = this.#editors.get(workflowId);
    if (existing) {
      await existing.refresh();
      return existing;
    }
    const workflow = await this.#readWithGraph(workflowId);
    const onSaved = (): void => void this.list.refresh();
    const ports = { client: this.client, editing: this.#editing, onSaved };
    const editor = this.#editors.get(workflowId) ?? new WorkflowEditor(ports, workflow);
    this.#editors.set(workflowId, editor);
    const [oldest] = this.#editors;
    if (oldest && this.#editors.size > maxOpen && oldest[1].isSaved())
      this.#editors.delete(oldest[0]);
    void editor.check();
    return editor;
  }

  /** Reads a workflow; one that was created without a graph gets one. */
  async #readWithGraph(workflowId: string): Promise<Workflow> {
    const workflow = await this.client.call(api.workflows.show, { params: { workflowId } });
    if (workflow.graph || workflow.plan.steps.length === 0) return workflow;
    const { plan, layout } = workflow;
    const { graph } = await this.client.call(api.workflows.decompile, { body: { plan, layout } });
    return { ...workflow, graph };
  }

  /** Returns the values entered for its runs. */
  formOf(workflowId: string): Store<RunFormValues> {
    const form =
      this.#forms.get(workflowId) ?? createStore<RunFormValues>({ values: {}, files: {} });
    this.#forms.set(workflowId, form);
    return form;
  }

  /** Returns the visible run of a workflow: the one started here, or else its last one. */
  runOf(workflowId: string): Store<AgentRun | null> {
    const existing = this.#runs.get(workflowId);
    if (existing) return existing;
    const run = createStore<AgentRun | null>(null);
    this.#runs.set(workflowId, run);
    void this.#lastRun(workflowId)
      .then((last) => last && run.get() === null && run.set(this.#agentRun(last.runId)))
      .catch(() => undefined);
    return run;
  }

  /** Shows a newer run that was started elsewhere, for example by a chat. Never rejects. */
  async refreshRun(workflowId: string): Promise<void> {
    const current = this.runOf(workflowId);
    const before = current.get();
    const last = await this.#lastRun(workflowId).catch(() => undefined);
    if (!last || current.get() !== before || last.runId === before?.runId) return;
    current.set(this.#agentRun(last.runId));
  }

  async #lastRun(workflowId: string): Promise<RunSummary | undefined> {
    const query = { workflowId, limit: '1' };
    return (await this.client.call(api.agent.runs, { query }))[0];
  }

  #agentRun(runId: string): AgentRun {
    return new AgentRun({ client: this.client, onChange: () => undefined }, runId);
  }

  show(workflowId: string, runId: string): void {
    this.runOf(workflowId).set(this.#agentRun(runId));
  }

  /** Reads everything again after an outage of the service. */
  refresh(): void {
    void this.list.refresh();
    void this.refreshKinds();
    for (const editor of this.#editors.values()) void editor.refresh().catch(() => undefined);
    for (const run of this.#runs.values()) run.get()?.retry();
  }
}

async function read<T>(store: Store<LoadState<T>>, ask: () => Promise<T>): Promise<void> {
  try {
    store.set({ kind: 'ready', value: await ask() });
  } catch (error) {
    if (store.get().kind !== 'ready') store.set({ kind: 'failed', error });
  }
}

const workflowsByShell = new WeakMap<Shell, Workflows>();

/**
 * Returns the workflows of a shell. They live as long as the shell, also while another area is
 * open.
 */
export function workflowsOf(shell: Shell): Workflows {
  const existing = workflowsByShell.get(shell);
  if (existing) return existing;
  const chats = new WorkflowChats(shell.chats, createStoredChats(window));
  const created = new Workflows(shell.client, chats);
  const { state } = shell.connection;
  state.subscribe(() => {
    if (state.get() === 'online') created.refresh();
  });
  workflowsByShell.set(shell, created);
  return created;
}
