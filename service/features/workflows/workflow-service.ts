import { randomUUID } from 'node:crypto';
import { Mutex } from 'async-mutex';
import {
  type NewWorkflow,
  type Workflow,
  type WorkflowChange,
  type WorkflowDocument,
  workflowFormat,
  type WorkflowRevision,
  type WorkflowSummary,
} from '../../contract/index.ts';
import { fieldErrorOf, type FieldProblem, fieldProblem } from '../../core/field-problem.ts';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import { KeyedMutex } from '../../core/keyed-mutex.ts';
import { Topic } from '../../core/topic.ts';
import {
  type Definition,
  type DefinitionRules,
  type DefinitionInput,
  invalidWorkflow,
  incompleteProblems,
  readDefinition,
  readDraft,
} from './definition/check-definition.ts';
import { EditingSessions } from './editing-sessions.ts';
import type { Content, WorkflowQuery, WorkflowStore } from './workflow-store.ts';
import { localUser } from '../../platform/database/local-user.ts';

const maxWorkflows = 1_000;
const maxRevisions = 50;
const maxNameLength = 200;
/** The stored workflows. Changes of one workflow are serialized. */
export class WorkflowService {
  /** Emits the id of a workflow that was added, changed, published or removed. */
  readonly changed = new Topic<string>();
  private readonly store: WorkflowStore;
  private readonly rules: DefinitionRules;
  private readonly additions = new Mutex();
  private readonly sessions = new EditingSessions();
  private readonly changing = new KeyedMutex();

  constructor(store: WorkflowStore, rules: DefinitionRules) {
    this.store = store;
    this.rules = rules;
  }

  /** @throws HostError 404 `unknown_workflow` if there is no workflow with the id `before` */
  async list(query: WorkflowQuery = {}): Promise<WorkflowSummary[]> {
    if (query.before !== undefined) await this.show(query.before);
    return this.store.list(query);
  }

  find(id: string): Promise<Workflow | null> {
    return this.store.find(id);
  }

  /**
   * Returns a workflow with its pending edit.
   * @throws HostError 404 `unknown_workflow`
   */
  async open(id: string): Promise<Workflow> {
    const workflow = await this.show(id);
    const edit = workflow.published ? await this.store.edit(id) : null;
    return edit === null ? workflow : { ...workflow, edit: editOf(edit, edit.updatedAt) };
  }

  /** @throws HostError 404 `unknown_workflow` */
  async show(id: string): Promise<Workflow> {
    const found = await this.store.find(id);
    if (found) return found;
    throw new HostError('missing', 'unknown_workflow', msg('workflow.unknown'));
  }

  /** @throws HostError 422 `invalid_workflow`, 409 `too_many_workflows` */
  async create(input: NewWorkflow): Promise<Workflow> {
    const { name, description } = input;
    return this.add({ name, description, ...(await this.read(input, input.draft)) });
  }

  private async read(input: DefinitionInput, draft = false): Promise<Definition> {
    return draft ? readDraft(input, this.rules) : readDefinition(input, this.rules);
  }

  private add(content: Fresh): Promise<Workflow> {
    return this.additions.runExclusive(async () => {
      if ((await this.store.count()) >= maxWorkflows) throw tooMany();
      const now = new Date().toISOString();
      const about = { id: randomUUID(), published: false, revision: 1, owner: localUser };
      const workflow: Workflow = { ...content, ...about, createdAt: now, updatedAt: now };
      await this.store.add(workflow);
      this.changed.publish(workflow.id);
      return workflow;
    });
  }

  /** @throws HostError 404 `unknown_workflow`, 409 `stale_revision`, 422 `invalid_workflow` */
  update(id: string, change: WorkflowChange): Promise<Workflow> {
    const { revision, editing } = change;
    const keepsContent = change.plan === undefined && change.graph === undefined;
    return this.revise(id, { revision, editing, keepsEdit: keepsContent }, async (old) => {
      const { name = old.name, description = old.description } = change;
      const { inputSchema = old.inputSchema } = change;
      const { plan, graph, layout } = keepsContent
        ? { ...old, layout: change.layout ?? old.layout }
        : change;
      const whole = plan?.steps.length === 0 ? undefined : plan;
      const input = { inputSchema, plan: whole, graph, layout };
      // Renaming a draft keeps it a draft.
      const draft = change.draft ?? (keepsContent && whole === undefined);
      return { name, description, ...(await this.read(input, draft)) };
    });
  }

  /** @throws HostError 404 `unknown_workflow`, `unknown_revision`, 422 `invalid_workflow` */
  restore(id: string, revision: number): Promise<Workflow> {
    return this.revise(id, {}, async ({ published }) => {
      const content = await this.store.revision(id, revision);
      if (content === null)
        throw new HostError(
          'missing',
          'unknown_revision',
          msg('workflow.unknownRevision', { revision }),
        );
      if (published && isUnfinished(content)) throw invalidWorkflow(incompleteProblems);
      return content;
    });
  }

  private revise(
    id: string,
    { revision, editing, keepsEdit = false }: Revising,
    contentOf: (old: Workflow) => Promise<Fresh>,
  ): Promise<Workflow> {
    return this.changing.runExclusive(id, async () => {
      const old = await this.show(id);
      if (revision !== undefined && revision !== old.revision) throw stale();
      const content = await contentOf(old);
      const { published, owner, createdAt } = old;
      const about = { id, published, owner, createdAt, updatedAt: new Date().toISOString() };
      const next = { ...about, revision: old.revision + 1 };
      if (published && isUnfinished(content)) return this.storeEdit({ ...old, ...next }, content);
      const fresh: Workflow = { ...content, ...next };
      const folded = this.sessions.continues(id, editing, old.revision);
      const how = { maxRevisions: maxRevisions, folded, keepsEdit };
      if (!(await this.store.replace(fresh, how))) throw stale();
      this.sessions.stored(id, editing, old.revision);
      this.changed.publish(id);
      return fresh;
    });
  }

  /** A published definition remains in use while its edit is incomplete. */
  private async storeEdit(workflow: Workflow, content: Fresh): Promise<Workflow> {
    const { id, revision, updatedAt } = workflow;
    if (!(await this.store.putEdit(workflow, content))) throw stale();
    this.sessions.moved(id, revision - 1);
    this.changed.publish(id);
    return { ...workflow, edit: editOf(content, updatedAt), problems: problemsOf(content) };
  }

  /**
   * When a workflow is unpublished, its pending edit becomes the current definition.
   * @throws HostError 404 `unknown_workflow`, 422 `invalid_workflow`
   */
  async publish(id: string, published: boolean): Promise<Workflow> {
    return this.changing.runExclusive(id, async () => {
      const { edit, ...workflow } = await this.open(id);
      if (published && isUnfinished(workflow))
        throw invalidWorkflow((await this.problemsIn(workflow)).map(fieldErrorOf));
      this.sessions.end(id);
      const now = { ...workflow, published };
      if (edit && !published) return this.takeEdit(now, edit);
      await this.store.setPublished(id, published);
      this.changed.publish(id);
      return { ...now, ...(edit && { edit }) };
    });
  }

  private async takeEdit(workflow: Workflow, edit: WorkflowEdit): Promise<Workflow> {
    const { name, description } = edit;
    const content = { name, description, ...(await this.read(edit, true)) };
    const { id, published, owner, createdAt, revision } = workflow;
    const about = { id, published, owner, createdAt, updatedAt: new Date().toISOString() };
    const fresh: Workflow = { ...content, ...about, revision: revision + 1 };
    if (!(await this.store.replace(fresh, { maxRevisions: maxRevisions }))) throw stale();
    this.changed.publish(id);
    return fresh;
  }

  private async problemsIn({ inputSchema, graph }: Workflow): Promise<FieldProblem[]> {
    return problemsOf(await readDraft({ inputSchema, graph }, this.rules));
  }

  /**
   * Returns a definition to run, which keeps its revision.
   * @throws HostError 404 `unknown_workflow`, 422 `invalid_workflow`
   */
  async whole(id: string): Promise<Workflow> {
    const workflow = await this.show(id);
    if (isUnfinished(workflow))
      throw invalidWorkflow((await this.problemsIn(workflow)).map(fieldErrorOf));
    this.sessions.end(id);
    return workflow;
  }

  remove(id: string): Promise<void> {
    return this.changing.runExclusive(id, async () => {
      await this.show(id);
      await this.store.remove(id);
      this.sessions.end(id);
      this.changed.publish(id);
    });
  }

  async duplicate(id: string): Promise<Workflow> {
    const { name, ...content } = contentOf(await this.show(id));
    const suffix = ' (copy)';
    return this.add({ ...content, name: shortened(name, maxNameLength - suffix.length) + suffix });
  }

  async export(id: string): Promise<WorkflowDocument> {
    return { format: workflowFormat, version: 1, ...contentOf(await this.show(id)) };
  }

  async revisions(id: string): Promise<WorkflowRevision[]> {
    await this.show(id);
    return this.store.revisionsOf(id);
  }
}

type Fresh = Content & Pick<Definition, 'problems'>;
type WorkflowEdit = NonNullable<Workflow['edit']>;

interface Revising {
  revision?: number | undefined;
  editing?: string | undefined;
  keepsEdit?: boolean;
}

const isUnfinished = ({ plan }: Pick<Definition, 'plan'>): boolean => plan.steps.length === 0;

/** A missing plugin may be installed again since, so there may be no problem. */
const problemsOf = ({ problems = [] }: Pick<Definition, 'problems'>): FieldProblem[] =>
  problems.length > 0 ? problems : incompleteProblems.map(fieldProblem);

function editOf(
  { name, description, inputSchema, graph }: Content,
  updatedAt: string,
): WorkflowEdit {
  return { name, description, inputSchema, ...(graph && { graph }), updatedAt };
}

function contentOf(workflow: Workflow): Content {
  const { name, description, inputSchema, plan, layout, graph } = workflow;
  return { name, description, inputSchema, plan, layout, ...(graph && { graph }) };
}

/** Removes half of a surrogate pair at the cut. */
const shortened = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

function stale(): HostError {
  return new HostError('conflict', 'stale_revision', msg('workflow.changedMeanwhile'));
}

function tooMany(): HostError {
  return new HostError(
    'conflict',
    'too_many_workflows',
    msg('workflow.tooMany', { limit: maxWorkflows }),
  );
}
