import type { PluginManifest } from '../../contract/index.ts';
import { type FieldError, HostError } from '../../core/host-error.ts';
import { JobFailure } from '../../platform/job-thread.ts';
import type * as Compiler from './schema-compiler.ts';
import type { Schema, SchemaCheck } from './schema-compiler.ts';
import { isQuickFor, quickSizeOf } from './schema-cost.ts';
import { SchemaThread } from './schema-thread.ts';
import { type Message, msg } from '../../messages/index.ts';

const checkLimitMs = 1_000;
const manifestLimitMs = 5_000;
/** Larger schemas of a manifest are not compiled in this thread; the limit takes about 20 ms. */
const maxValuesCompiledHere = 1_000;

/** One per host; it runs only while schemas need it. */
const thread = new SchemaThread();
let lastKey = 0;

let compiler: Promise<typeof Compiler> | undefined;

/** Loaded with the first schema, so that a start without plugin calls does not pay for it. */
const loadCompiler = (): Promise<typeof Compiler> => (compiler ??= import('./schema-compiler.ts'));

interface MethodCheck {
  schema: Schema;
  key: number;
  /** Null for a schema that is checked only in the other thread. */
  quickSize: number | null;
  check?: SchemaCheck;
}

/**
 * Checks the params of plugin methods against the schemas of the manifest. A schema comes from a
 * package and may be slow on purpose, so only schemas that are certainly quick are checked in this
 * thread.
 */
export class ParamChecks {
  private readonly prepared = new Map<string, MethodCheck>();
  private readonly methods: PluginManifest['methods'];

  constructor(methods: PluginManifest['methods']) {
    this.methods = methods;
  }

  /** @throws HostError 400 `invalid_params` that names the field */
  async check(method: string, params: unknown): Promise<void> {
    const schema = this.methods[method]?.params;
    if (!schema) return;
    const prepared = this.prepared.get(method) ?? prepare(schema);
    this.prepared.set(method, prepared);
    const errors = await this.errorsOf(method, prepared, params ?? {});
    if (errors.length === 0) return;
    const problems = errors.map(({ path, message: reason }) =>
      msg('plugins.fieldProblem', { path, reason }),
    );
    const detail = msg('plugins.invalidParams', { method, problems });
    throw new HostError('invalid', 'invalid_params', detail, { errors });
  }

  private async errorsOf(
    method: string,
    prepared: MethodCheck,
    params: unknown,
  ): Promise<FieldError[]> {
    const { key, schema, quickSize } = prepared;
    if (quickSize !== null && isQuickFor(quickSize, params)) {
      try {
        prepared.check ??= (await loadCompiler()).compileSchema(schema);
      } catch {
        throw unusable(method);
      }
      return prepared.check(params);
    }
    try {
      const job = { key, schema, value: params };
      const errors = await thread.run(this, 'check', job, checkLimitMs);
      if (errors !== null) return errors;
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      const detail = msg('plugins.paramsTooSlow', { method });
      throw new HostError('invalid', 'invalid_params', detail);
    }
    throw unusable(method);
  }
}

function prepare(schema: Schema): MethodCheck {
  lastKey += 1;
  return { schema, key: lastKey, quickSize: quickSizeOf(schema) };
}

function unusable(method: string): HostError {
  const detail = msg('plugins.paramsUncheckable', { method });
  return new HostError('invalid', 'invalid_params', detail);
}

/** Returns problems of a manifest that only show between its parts. */
export async function manifestProblems(manifest: PluginManifest): Promise<FieldError[]> {
  const problems = await schemaProblems(manifest.methods);
  manifest.aiTools.forEach((tool, index) => {
    if (!Object.hasOwn(manifest.methods, tool.method)) {
      problems.push({
        path: `aiTools.${index}.method`,
        message: msg('plugins.unknownToolMethod', { method: tool.method }),
      });
    }
  });
  return problems;
}

async function schemaProblems(methods: PluginManifest['methods']): Promise<FieldError[]> {
  const named = Object.entries(methods).flatMap(([name, { params }]): [string, Schema][] =>
    params ? [[name, params]] : [],
  );
  if (named.length === 0) return [];
  try {
    const bad = await badSchemas(named.map(([, schema]) => schema));
    return named
      .filter((_, index) => bad[index] !== false)
      .map(([name]) => ({ path: `methods.${name}.params`, message: msg('plugins.notSchema') }));
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return [{ path: 'methods', message: msg('plugins.schemasTooSlow') }];
  }
}

/** Returns the problem of a schema, null if it has none. */
export async function schemaProblem(schema: Schema): Promise<Message | null> {
  try {
    return (await badSchemas([schema]))[0] === false ? null : msg('plugins.notSchema');
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return msg('plugins.schemaTooSlow');
  }
}

async function badSchemas(schemas: Schema[]): Promise<boolean[]> {
  const size = schemas.reduce((sum, schema) => sum + (quickSizeOf(schema) ?? Infinity), 0);
  if (size <= maxValuesCompiledHere) {
    const { isSchema } = await loadCompiler();
    return schemas.map((schema) => !isSchema(schema));
  }
  return thread.run(schemas, 'bad', schemas, manifestLimitMs);
}
