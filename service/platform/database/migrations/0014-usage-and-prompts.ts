import type { Migration } from './migration.ts';

/** Tokens used by models, and the prompt library. */
export const usageAndPrompts: Migration = {
  name: '0014-usage-and-prompts',
  async up({ createTable, types, longText }) {
    await createTable('model_usage', {
      id: { type: types.INTEGER, primaryKey: true, autoIncrement: true },
      user_id: { type: types.INTEGER, allowNull: false },
      /** `2026-01-31` in the host's time zone. */
      day: { type: types.STRING(10), allowNull: false },
      /** A mode, or the id of a provider. */
      provider: { type: types.STRING(100), allowNull: false },
      model: { type: types.STRING(500), allowNull: false },
      /** Empty: without a conversation. */
      conversation_id: { type: types.STRING(36), allowNull: false },
      input_tokens: { type: types.INTEGER, allowNull: false },
      output_tokens: { type: types.INTEGER, allowNull: false },
      cached_tokens: { type: types.INTEGER, allowNull: false },
      reasoning_tokens: { type: types.INTEGER, allowNull: false },
      /** 1 where the output was estimated. */
      estimated: { type: types.INTEGER, allowNull: false },
    });
    await createTable('chat_prompts', {
      id: { type: types.STRING(36), primaryKey: true },
      user_id: { type: types.INTEGER, allowNull: false },
      name: { type: types.STRING(100), allowNull: false },
      description: { type: types.STRING(500), allowNull: false },
      text: { type: longText, allowNull: false },
      created_at: { type: types.DATE(3), allowNull: false },
    });
  },
};
