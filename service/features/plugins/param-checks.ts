import type { ValidateFunction } from 'ajv';
import type { PluginManifest } from '../../contract/index.ts';
import { type FieldError, HostError } from '../../core/host-error.ts';

type Schema = Record<string, unknown>;

type Compile = (schema: Schema) => ValidateFunction;
let compiler: Promise<Compile> | undefined;

/** Loaded with the first schema: a start without plugin calls does not pay for it. */
const loadCompiler = (): Promise<Compile> => (compiler ??= import('./schema-compiler.ts').then(({ compileSchema }) => compileSchema));

/** Checks the params of a plugin's methods against the schemas of its manifest. */
export class ParamChecks {
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly methods: PluginManifest['methods'];

  constructor(methods: PluginManifest['methods']) {
    this.methods = methods;
  }

  /** Throws 400 `invalid_params` that names the field. */
  async check(method: string, params: unknown): Promise<void> {
    const schema = this.methods[method]?.params;
    if (!schema) return;
    const validate = this.compiled.get(method) ?? (await loadCompiler())(schema);
    this.compiled.set(method, validate);
    if (validate(params ?? {})) return;
    const errors = fieldErrors(validate);
    const detail = `The parameters of ${method} are not valid: ${errors.map((e) => `${e.path} ${e.message}`).join('; ')}.`;
    throw new HostError('invalid', 'invalid_params', detail, { errors });
  }
}

function fieldErrors(validate: ValidateFunction): FieldError[] {
  return (validate.errors ?? []).map(({ instancePath, message }) => ({
    path: `params${instancePath.replaceAll('/', '.')}`,
    message: message ?? 'is not valid',
  }));
}

/** Problems of a manifest that only show between its parts. */
export async function manifestProblems(manifest: PluginManifest): Promise<FieldError[]> {
  const compile = await loadCompiler();
  const problems: FieldError[] = [];
  for (const [name, method] of Object.entries(manifest.methods)) {
    if (method.params && !isSchema(compile, method.params)) {
      problems.push({ path: `methods.${name}.params`, message: 'is not a JSON Schema' });
    }
  }
  manifest.aiTools.forEach((tool, index) => {
    if (!Object.hasOwn(manifest.methods, tool.method)) {
      problems.push({
        path: `aiTools.${index}.method`,
        message: `names no method of this package: ${tool.method}`,
      });
    }
  });
  return problems;
}

function isSchema(compile: Compile, schema: Schema): boolean {
  try {
    compile(schema);
    return true;
  } catch {
    return false;
  }
}
