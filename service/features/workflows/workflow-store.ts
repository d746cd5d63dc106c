import { DataTypes, Op, type Transaction } from 'sequelize';
import { WorkflowGraph, Workflow, type WorkflowRevision } from '../../contract/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { Conditions } from '../../platform/database/conditions.ts';
import { localUser } from '../../platform/database/local-user.ts';
import { Table } from '../../platform/database/table.ts';
import { isoOf, truthOf } from '../../platform/database/values.ts';

const Body = Workflow.pick({ inputSchema: true, plan: true, layout: true });

interface StoredRow {
  id: string;
  published: boolean | number;
  revision: number;
  created_at: Date | string;
  updated_at: Date | string;
}

interface StoredRevision {
  workflow_id: string;
  revision: number;
  name: string;
  description: string;
  step_count: number;
  body: string;
  graph: string | null;
  created_at: Date | string;
}

type Stored = StoredRow & Omit<StoredRevision, 'created_at'>;

/** The content of one revision. */
export type Content = Pick<
  Workflow,
  'name' | 'description' | 'inputSchema' | 'plan' | 'layout' | 'graph'
>;

/** The revision number of the pending edit of a published definition; definitions start at 1. */
const editRevision = 0;

/** Options for replacing the current revision. */
export interface ReplaceOptions {
  /** Number of revisions to keep. */
  maxRevisions: number;
  /** Removes the previous revision, because both form one change for a person. */
  folded?: boolean;
  /** Keeps the pending edit. */
  keepsEdit?: boolean;
}

const content = ['name', 'description', 'body', 'graph'] as const;

/** Filter and page of the list of workflows. */
export interface WorkflowQuery {
  /** Text to search for in names and descriptions, ignoring case. */
  q?: string | undefined;
  limit?: number | undefined;
  /** Id of a workflow; only workflows after it in the list are returned. */
  before?: string | undefined;
  published?: boolean | undefined;
}

/** Stores workflows with their last revisions. */
export class WorkflowStore {
  private readonly database: Database;
  private readonly workflows: Table<StoredRow & { user_id: number; search_text: string | null }>;
  private readonly revisions: Table<StoredRevision>;

  constructor(database: Database) {
    this.database = database;
    const required = { allowNull: false };
    this.workflows = new Table(database, 'workflows', {
      id: { type: DataTypes.STRING(36), primaryKey: true },
      user_id: { type: DataTypes.INTEGER, ...required },
      published: { type: DataTypes.BOOLEAN, ...required },
      revision: { type: DataTypes.INTEGER, ...required },
      search_text: { type: DataTypes.TEXT },
      created_at: { type: DataTypes.DATE(3), ...required },
      updated_at: { type: DataTypes.DATE(3), ...required },
    });
    this.revisions = new Table(database, 'workflow_revisions', {
      workflow_id: { type: DataTypes.STRING(36), primaryKey: true },
      revision: { type: DataTypes.INTEGER, primaryKey: true },
      name: { type: DataTypes.STRING(300), ...required },
      description: { type: DataTypes.TEXT, ...required },
      step_count: { type: DataTypes.INTEGER, ...required },
      body: { type: DataTypes.TEXT, ...required },
      graph: { type: DataTypes.TEXT },
      created_at: { type: DataTypes.DATE(3), ...required },
    });
  }

  /** Most recently changed first; without the graphs, which may be large. */
  async list({ q, limit, before, published }: WorkflowQuery = {}): Promise<Workflow[]> {
    const where = Conditions.equal({ user_id: localUser, published });
    if (q !== undefined) where.add(where.contains('search_text', q));
    if (before !== undefined) where.addAfter({ table: 'workflows', at: 'updated_at' }, before);
    const page = limit === undefined ? '' : `LIMIT ${limit}`;
    return (await this.select('NULL', where, page)).map(workflowOf);
  }

  async find(id: string): Promise<Workflow | null> {
    const [row] = await this.select('graph', Conditions.equal({ user_id: localUser, id }));
    return row ? workflowOf(row) : null;
  }

  private select(graph: string, where: Conditions, page = ''): Promise<Stored[]> {
    return this.database.select<Stored>(
      `SELECT w.id, w.published, w.revision, w.created_at, w.updated_at,
         r.workflow_id, r.name, r.description, r.step_count, r.body, ${graph} AS graph
       FROM workflows w
       JOIN workflow_revisions r ON r.workflow_id = w.id AND r.revision = w.revision
       WHERE ${where.text} ORDER BY updated_at DESC, id DESC ${page}`,
      where.values,
    );
  }

  count(): Promise<number> {
    return this.workflows.model.count({ where: { user_id: localUser } });
  }

  /** Writes both rows or none. */
  async add(workflow: Workflow): Promise<void> {
    await this.database.sequelize.transaction(async (transaction) => {
      await this.workflows.model.create(
        { ...rowOf(workflow), user_id: localUser },
        { transaction },
      );
      await this.write(workflow, transaction);
    });
  }

  /**
   * Writes a new revision and removes the oldest ones, in one transaction. Returns false if the
   * previous revision is no longer the current one.
   */
  async replace(workflow: Workflow, how: ReplaceOptions): Promise<boolean> {
    const { id, revision } = workflow;
    return this.database.sequelize.transaction(async (transaction) => {
      if (!(await this.advance(workflow, transaction))) return false;
      await this.write(workflow, transaction);
      const obsolete = [
        ...(how.folded === true ? [revision - 1] : []),
        ...(how.keepsEdit === true ? [] : [editRevision]),
      ];
      for (const one of obsolete) await this.forget(id, one, transaction);
      await this.forgetOldest(id, how.maxRevisions, transaction);
      return true;
    });
  }

  /**
   * Stores a pending edit beside an unchanged definition, which gets the next revision number.
   * Returns false if that number is no longer the next one.
   */
  async putEdit(workflow: Workflow, edit: Content): Promise<boolean> {
    const { id, revision } = workflow;
    return this.database.sequelize.transaction(async (transaction) => {
      if (!(await this.advance(workflow, transaction))) return false;
      const current = { workflow_id: id, revision: revision - 1 };
      await this.revisions.model.update({ revision }, { where: current, transaction });
      await this.forget(id, editRevision, transaction);
      await this.write({ ...workflow, ...edit, revision: editRevision }, transaction);
      return true;
    });
  }

  /** Returns the pending edit of a definition with its time. */
  async edit(id: string): Promise<(Content & { updatedAt: string }) | null> {
    const where = { workflow_id: id, revision: editRevision };
    const [row] = await this.revisions.select([...content, 'created_at'], { where });
    if (row === undefined) return null;
    return { ...contentOf(row), updatedAt: isoOf(row.created_at) };
  }

  private async advance(workflow: Workflow, transaction: Transaction): Promise<boolean> {
    const { id, revision } = workflow;
    const where = { id, user_id: localUser, revision: revision - 1 };
    const [changed] = await this.workflows.model.update(rowOf(workflow), { where, transaction });
    return changed > 0;
  }

  private async forget(id: string, revision: number, transaction: Transaction): Promise<void> {
    await this.revisions.model.destroy({ where: { workflow_id: id, revision }, transaction });
  }

  private async forgetOldest(
    id: string,
    maxRevisions: number,
    transaction: Transaction,
  ): Promise<void> {
    const [last] = await this.revisions.select(['revision'], {
      where: this.definitions(id),
      order: ['revision DESC'],
      offset: maxRevisions,
      limit: 1,
      transaction,
    });
    if (!last) return;
    const revision = { [Op.gt]: editRevision, [Op.lte]: last.revision };
    await this.revisions.model.destroy({ where: { workflow_id: id, revision }, transaction });
  }

  private definitions(id: string): Conditions {
    const where = Conditions.equal({ workflow_id: id });
    where.add(`revision > ${editRevision}`);
    return where;
  }

  async setPublished(id: string, published: boolean): Promise<void> {
    await this.workflows.model.update({ published }, { where: { id, user_id: localUser } });
  }

  /** Returns false if there was none. */
  async remove(id: string): Promise<boolean> {
    return this.database.sequelize.transaction(async (transaction) => {
      await this.revisions.model.destroy({ where: { workflow_id: id }, transaction });
      return (
        (await this.workflows.model.destroy({ where: { id, user_id: localUser }, transaction })) > 0
      );
    });
  }

  /** Newest first. */
  async revisionsOf(id: string): Promise<WorkflowRevision[]> {
    const found = await this.revisions.select(['revision', 'name', 'step_count', 'created_at'], {
      where: this.definitions(id),
      order: ['revision DESC'],
    });
    return found.map(({ revision, name, step_count, created_at }) => ({
      revision,
      name,
      steps: step_count,
      createdAt: isoOf(created_at),
    }));
  }

  async revision(id: string, revision: number): Promise<Content | null> {
    if (revision === editRevision) return null;
    const where = { workflow_id: id, revision };
    const [row] = await this.revisions.select(content, { where });
    return row === undefined ? null : contentOf(row);
  }

  private async write(workflow: Workflow, transaction: Transaction): Promise<void> {
    const { id, revision, name, description, inputSchema, plan, layout, graph } = workflow;
    const row = {
      workflow_id: id,
      revision,
      name,
      description,
      step_count: plan.steps.length,
      body: JSON.stringify({ inputSchema, plan, layout }),
      graph: graph === undefined ? null : JSON.stringify(graph),
      created_at: new Date(workflow.updatedAt),
    };
    await this.revisions.model.create(row, { transaction });
  }
}

const rowOf = ({ id, published, revision, createdAt, updatedAt, ...about }: Workflow) => ({
  id,
  published,
  revision,
  search_text: `${about.name}\n${about.description}`.toLowerCase(),
  created_at: new Date(createdAt),
  updated_at: new Date(updatedAt),
});

function contentOf(row: Pick<StoredRevision, 'name' | 'description' | 'body' | 'graph'>): Content {
  const { name, description, body, graph } = row;
  return {
    name,
    description,
    ...Body.parse(JSON.parse(body)),
    // H2 stores a missing text as an empty one.
    ...(graph && { graph: WorkflowGraph.parse(JSON.parse(graph)) }),
  };
}

const workflowOf = (row: Stored): Workflow => ({
  ...contentOf(row),
  id: row.id,
  published: truthOf(row.published),
  revision: row.revision,
  owner: localUser,
  createdAt: isoOf(row.created_at),
  updatedAt: isoOf(row.updated_at),
});
