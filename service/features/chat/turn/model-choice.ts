import type { ModelChoice } from '../../../contract/index.ts';
import type { AnsweringModel } from '../../models/index.ts';

/** The model of an answer, as it is stored and chosen again. */
export const choiceOf = ({ mode, provider, model }: AnsweringModel): ModelChoice => ({
  ...(provider === undefined ? { mode } : { provider }),
  name: model,
});
