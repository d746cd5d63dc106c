import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { isPackageName, moduleImports, ScriptError } from '../bundle/module-imports.ts';
import { type Finding, errorAt } from './finding.ts';

/** Modules that the kit and the host provide. */
const provided = /^(?:(?:ui|backend)\/plugin-kit|ui\/_host)\//;

/** Input of `moduleFindings`. */
export interface ModuleInput {
  directory: string;
  /** Relative paths of all files. */
  files: readonly string[];
  /** The modules to check. */
  modules: readonly string[];
  /** Advice about npm packages; null if packages can be imported. */
  noPackages: string | null;
}

/** Finds imports that do not resolve and modules with syntax errors. */
export async function moduleFindings(input: ModuleInput): Promise<Finding[]> {
  const { directory, files, modules, noPackages } = input;
  const all = modules.map(async (file): Promise<Finding[]> => {
    const text = await readFile(join(directory, file), 'utf8');
    try {
      return moduleImports(text).flatMap(({ specifier, line, column }) => {
        const position = { file, line, column };
        if (isPackageName(specifier)) {
          if (noPackages === null) return [];
          const message = `imports '${specifier}'. ${noPackages}`;
          return [errorAt('import_missing', position, message)];
        }
        const target = posix.join(posix.dirname(file), specifier);
        const isThere = files.includes(target) || provided.test(target);
        if (!specifier.startsWith('.') || isThere) return [];
        const message = `imports '${specifier}', which is not there. Correct the path, with the ending of the file.`;
        return [errorAt('import_missing', position, message, nearPath(file, target, files))];
      });
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      const { line, column, message } = error;
      const text = `The script cannot be read: ${message}.`;
      return [errorAt('script_invalid', { file, line, column }, text)];
    }
  });
  return (await Promise.all(all)).flat();
}

/** Returns the most similar existing path, as an import specifier. */
function nearPath(from: string, target: string, files: readonly string[]): string | undefined {
  const found = nearest(target, files);
  if (found === undefined) return undefined;
  const path = posix.relative(posix.dirname(from), found);
  return path.startsWith('.') ? path : `./${path}`;
}
