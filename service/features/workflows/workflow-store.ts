import { DataTypes, type Model, type ModelStatic, Op, type Transaction } from 'sequelize';
import { FlowGraph, Workflow, type WorkflowRevision } from '../../contract/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { defineTable } from '../../platform/database/define-table.ts';
import { localUser } from '../../platform/database/local-user.ts';
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

/** What one revision holds. */
export type Content = Pick<
  Workflow,
  'name' | 'description' | 'inputSchema' | 'plan' | 'layout' | 'graph'
>;

/**
 * The revision under which lies what is edited beside a published definition; those of definitions begin
 * at 1.
 */
const editRevision = 0;

export interface Replacing {
  /** How many revisions stay. */
  kept: number;
  /** The one before it goes: both are one change to a person. */
  folded?: boolean;
  /** What is edited beside it stays there. */
  keepsEdit?: boolean;
}

/** Workflows with their last revisions. */
export class WorkflowStore {
  private readonly database: Database;
  private readonly rows: ModelStatic<Model>;
  private readonly revisions: ModelStatic<Model>;

  constructor(database: Database) {
    this.database = database;
    const required = { allowNull: false };
    this.rows = defineTable(database.sequelize, 'workflows', {
      id: { type: DataTypes.STRING(36), primaryKey: true },
      user_id: { type: DataTypes.INTEGER, ...required },
      published: { type: DataTypes.BOOLEAN, ...required },
      revision: { type: DataTypes.INTEGER, ...required },
      created_at: { type: DataTypes.DATE(3), ...required },
      updated_at: { type: DataTypes.DATE(3), ...required },
    });
    this.revisions = defineTable(database.sequelize, 'workflow_revisions', {
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

  /** The one that changed last comes first; without the graphs, which may be large. */
  async list(): Promise<Workflow[]> {
    return (await this.select('NULL', `w.user_id = ${localUser}`, [])).map(workflowOf);
  }

  async listPublished(): Promise<Workflow[]> {
    const where = `w.user_id = ${localUser} AND w.published = $1`;
    return (await this.select('NULL', where, [true])).map(workflowOf);
  }

  async find(id: string): Promise<Workflow | null> {
    const [row] = await this.select('r.graph', `w.user_id = ${localUser} AND w.id = $1`, [id]);
    return row ? workflowOf(row) : null;
  }

  private select(graph: string, where: string, values: (string | boolean)[]): Promise<Stored[]> {
    return this.database.select<Stored>(
      `SELECT w.id, w.published, w.revision, w.created_at, w.updated_at,
         r.workflow_id, r.name, r.description, r.step_count, r.body, ${graph} AS graph
       FROM workflows w
       JOIN workflow_revisions r ON r.workflow_id = w.id AND r.revision = w.revision
       WHERE ${where} ORDER BY w.updated_at DESC, w.id DESC`,
      values,
    );
  }

  count(): Promise<number> {
    return this.rows.count({ where: { user_id: localUser } });
  }

  /** Both rows, or none. */
  async add(workflow: Workflow): Promise<void> {
    await this.database.sequelize.transaction(async (transaction) => {
      await this.rows.create({ ...rowOf(workflow), user_id: localUser }, { transaction });
      await this.write(workflow, transaction);
    });
  }

  /**
   * A new revision, with which the oldest go; all of it, or nothing. False where the one before it is not
   * the current one any more.
   */
  async replace(workflow: Workflow, how: Replacing): Promise<boolean> {
    const { id, revision } = workflow;
    return this.database.sequelize.transaction(async (transaction) => {
      if (!(await this.advance(workflow, transaction))) return false;
      await this.write(workflow, transaction);
      const gone = [
        ...(how.folded === true ? [revision - 1] : []),
        ...(how.keepsEdit === true ? [] : [editRevision]),
      ];
      for (const one of gone) await this.forget(id, one, transaction);
      await this.forgetOldest(id, how.kept, transaction);
      return true;
    });
  }

  /**
   * Keeps what is edited beside a definition, which is the same again in its next revision. False where
   * that is not the next one any more.
   */
  async putEdit(workflow: Workflow, edit: Content): Promise<boolean> {
    const { id, revision } = workflow;
    return this.database.sequelize.transaction(async (transaction) => {
      if (!(await this.advance(workflow, transaction))) return false;
      const current = { workflow_id: id, revision: revision - 1 };
      await this.revisions.update({ revision }, { where: current, transaction });
      await this.forget(id, editRevision, transaction);
      await this.write({ ...workflow, ...edit, revision: editRevision }, transaction);
      return true;
    });
  }

  /** What is edited beside the definition, and when that was stored. */
  async edit(id: string): Promise<(Content & { updatedAt: string }) | null> {
    const where = { workflow_id: id, revision: editRevision };
    const found = await this.revisions.findOne({ where, raw: true });
    if (found === null) return null;
    const row = found as unknown as StoredRevision;
    return { ...contentOf(row), updatedAt: isoOf(row.created_at) };
  }

  private async advance(workflow: Workflow, transaction: Transaction): Promise<boolean> {
    const { id, revision } = workflow;
    const where = { id, user_id: localUser, revision: revision - 1 };
    const [changed] = await this.rows.update(rowOf(workflow), { where, transaction });
    return changed > 0;
  }

  private async forget(id: string, revision: number, transaction: Transaction): Promise<void> {
    await this.revisions.destroy({ where: { workflow_id: id, revision }, transaction });
  }

  private async forgetOldest(id: string, kept: number, transaction: Transaction): Promise<void> {
    const those = { workflow_id: id, revision: { [Op.gt]: editRevision } };
    const [last] = await this.revisions.findAll({
      where: those,
      attributes: ['revision'],
      order: [['revision', 'DESC']],
      raw: true,
      offset: kept,
      limit: 1,
      transaction,
    });
    if (!last) return;
    const { revision } = last as unknown as StoredRevision;
    const where = { workflow_id: id, revision: { [Op.gt]: editRevision, [Op.lte]: revision } };
    await this.revisions.destroy({ where, transaction });
  }

  async setPublished(id: string, published: boolean): Promise<void> {
    await this.rows.update({ published }, { where: { id, user_id: localUser } });
  }

  /** False where there was none. */
  async remove(id: string): Promise<boolean> {
    return this.database.sequelize.transaction(async (transaction) => {
      await this.revisions.destroy({ where: { workflow_id: id }, transaction });
      return (await this.rows.destroy({ where: { id, user_id: localUser }, transaction })) > 0;
    });
  }

  /** The newest first. */
  async revisionsOf(id: string): Promise<WorkflowRevision[]> {
    const found = await this.database.select<StoredRevision>(
      `SELECT revision, name, step_count, created_at FROM workflow_revisions
       WHERE workflow_id = $1 AND revision > ${editRevision} ORDER BY revision DESC`,
      [id],
    );
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
    const found = await this.revisions.findOne({ where, raw: true });
    return found === null ? null : contentOf(found as unknown as StoredRevision);
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
    await this.revisions.create(row, { transaction });
  }
}

const rowOf = ({ id, published, revision, createdAt, updatedAt }: Workflow) => ({
  id,
  published,
  revision,
  created_at: new Date(createdAt),
  updated_at: new Date(updatedAt),
});

function contentOf(row: Pick<StoredRevision, 'name' | 'description' | 'body' | 'graph'>): Content {
  const { name, description, body, graph } = row;
  return {
    name,
    description,
    ...Body.parse(JSON.parse(body)),
    // H2 gives an empty text for one that is not there.
    ...(graph && { graph: FlowGraph.parse(JSON.parse(graph)) }),
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
