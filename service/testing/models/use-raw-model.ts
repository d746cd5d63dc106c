import { afterAll, afterEach } from 'vitest';
import type { AiMode } from '../../contract/index.ts';
import type { BackendChoice } from '../../features/models/backend-config.ts';
import type { ModelLimits } from '../../features/models/wire/model-limits.ts';
import { type RawModel, startRawModel } from './raw-model.ts';
import { openBackend } from './read-answer.ts';

export interface UsedModel {
  model: RawModel;
  /** A backend that asks it, with nothing found out yet; closed after the test. */
  backend: (
    mode: AiMode,
    more?: Partial<BackendChoice>,
    limits?: Partial<ModelLimits>,
  ) => ReturnType<typeof openBackend>;
}

/** A model server for the tests of a file, to be called at its top. */
export async function useRawModel(): Promise<UsedModel> {
  const model = await startRawModel();
  const open: { close: () => Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((backend) => backend.close()));
  });
  afterAll(() => model.close());
  return {
    model,
    backend(mode, more = {}, limits = {}) {
      const opened = openBackend({ mode, baseUrl: model.base, ...more }, limits);
      open.push(opened);
      return opened;
    },
  };
}
