import { afterAll, expect, test } from 'vitest';
import { checkedCall, compileSchemas, takesParams } from './method-schemas.ts';
import { packAndUnpack, type UnpackedPlugin } from './packed-plugin.ts';
import { type RpcMessage, startWorker, type WorkerProcess } from './worker-process.ts';

export interface SamplePlugin {
  plugin: UnpackedPlugin;
  worker: WorkerProcess;
  /** With parameters and result checked against the manifest. */
  call<T = Record<string, unknown>>(method: string, params: object): Promise<T>;
  failure(method: string, params: object): Promise<RpcMessage['error']>;
}

/** A sample plugin and its worker, for the tests of a file. */
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

/** Tests that the package of every sample plugin has to pass. */
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
      const input = Object.fromEntries(
        node.inputs.map(({ name, default: value }) => [name, value ?? '']),
      );
      expect(takesParams(manifest, tool?.method ?? '', input), node.type).toBe(true);
    }
  });
}
