/** Tools that ask a model, for plans, workflows and models that divide their work. */
import type { ToolSource } from '../tools/index.ts';
import { askModel, type AskModelOptions } from './ask-model.ts';

export const modelTools = (options: AskModelOptions): ToolSource => ({
  // Its effect is that of the model which is configured now.
  list: () => [askModel(options)],
});
