import { afterAll, afterEach } from 'vitest';
import type { AiMode } from '../../contract/index.ts';
import type { BackendChoice } from '../../features/models/backend-config.ts';
import type { ModelLimits } from '../../features/models/wire/model-limits.ts';
import { type RawModel, startRawModel } from './raw-model.ts';
import { openBackend } from './read-answer.ts';

/** A raw model and backends for it. */
export interface UsedModel {
  model: RawModel;
  /** Opens a new backend for the model; closed after the test. */
  backend: (
    mode: AiMode,
    more?: Partial<BackendChoice>,
    limits?: Partial<ModelLimits>,
  ) => ReturnType<typeof openBackend>;
}

/** Provides a model server to the tests of a file; call it at the top. */
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
