import type { Model, ModelAttributes, ModelStatic, Sequelize } from 'sequelize';

/** A table as a model of Sequelize; its times are columns like others. */
export const defineTable = (
  sequelize: Sequelize,
  tableName: string,
  columns: ModelAttributes,
): ModelStatic<Model> => sequelize.define(tableName, columns, { tableName, timestamps: false });
