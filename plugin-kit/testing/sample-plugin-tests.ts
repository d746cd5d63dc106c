import { afterAll, expect, test } from 'vitest';
import { checkedCall, compileSchemas, takesParams } from './method-schemas.ts';
import { packAndUnpack, type UnpackedPlugin } from './packed-plugin.ts';
import { type RpcMessage, startWorker, type WorkerProcess } from './worker-process.ts';

/** A sample plugin with a running worker. */
export interface SamplePlugin {
  plugin: UnpackedPlugin;
  worker: WorkerProcess;
  /** Calls a method; checks params and result against the manifest. */
  call<T = Record<string, unknown>>(method: string, params: object): Promise<T>;
  failure(method: string, params: object): Promise<RpcMessage['error']>;
}

/** Provides a sample plugin and its worker to the tests of a file. */
export async function useSamplePlugin(
  source: string,
  runtime: Parameters<typeof startWorker>[1],
  env: Record<string, string> = {},
): Promise<SamplePlugin> {
  const plugin = await packAndUnpack(source);
  const worker = startWorker(plugin.directory, runtime, env);
  afterAll(async () => {
    await worker.end();
    await plugin.close();
  });
  return {
    plugin,
    worker,
    call: (method, params) => checkedCall(plugin.manifest, worker, method, params),
    failure: async (method, params) => (await worker.call(method, params)).error,
  };
}

/** Adds the tests that every sample plugin's package must pass. */
export function samplePackageTests({ plugin: { manifest }, worker }: SamplePlugin): void {
  test('its tools only read', () => {
    expect(new Set(manifest.aiTools.map((tool) => tool.effect))).toEqual(new Set(['read']));
  });

  test('its schemas compile, and the worker has every method', async () => {
    compileSchemas(manifest);
    const { methods } = await worker.result<{ methods: string[] }>('host.initialize', {});
    expect([...methods].sort()).toEqual(Object.keys(manifest.methods).sort());
  });

  test('what a node of a flow asks for is what its tool takes', () => {
    for (const node of manifest.flowNodes) {
      const tool = manifest.aiTools.find(({ name }) => name === node.tool);
      const example = Object.fromEntries(
        node.inputs.map((input) => [input.name, input.default ?? '']),
      );
      expect(takesParams(manifest, tool?.method ?? '', example), node.type).toBe(true);
    }
  });
}
