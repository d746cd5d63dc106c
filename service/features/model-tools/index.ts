/** Tools that ask a model, for plans, workflows and models that split up their work. */
import type { ToolSource } from '../tools/index.ts';
import { askModel, type AskModelOptions } from './ask-model.ts';

export const modelTools = (options: AskModelOptions): ToolSource => ({
  // Its effect depends on the model that is configured now.
  list: () => [askModel(options)],
});
