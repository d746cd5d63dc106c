import { Ajv } from 'ajv';
import type { PluginManifest } from '../../service/contract/manifest.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Strict mode rejects unknown keywords. */
const ajv = new Ajv({ strict: true, allErrors: true });

/** Calls a method as the host does, and checks params and result against the manifest's schemas. */
export async function checkedCall<T>(
  manifest: PluginManifest,
  worker: WorkerProcess,
  method: string,
  params: object,
): Promise<T> {
  const schemas = manifest.methods[method];
  if (!schemas) throw new Error(`The manifest has no method ${method}.`);
  check(schemas.params, params, `params of ${method}`);
  const result = await worker.result<T>(method, params);
  check(schemas.result, result, `result of ${method}`);
  return result;
}

/** Returns true if the host would accept these params. */
export function takesParams(manifest: PluginManifest, method: string, params: object): boolean {
  return ajv.validate(manifest.methods[method]?.params ?? {}, params);
}

/** Compiles every schema of the manifest. */
export function compileSchemas(manifest: PluginManifest): void {
  for (const { params, result } of Object.values(manifest.methods)) {
    ajv.compile(params ?? {});
    ajv.compile(result ?? {});
  }
  for (const tool of manifest.aiTools) ajv.compile(tool.inputSchema ?? {});
}

function check(schema: object | undefined, value: unknown, what: string): void {
  if (!schema) throw new Error(`The manifest does not describe the ${what}.`);
  if (!ajv.validate(schema, value)) throw new Error(`${what}: ${ajv.errorsText()}`);
}
