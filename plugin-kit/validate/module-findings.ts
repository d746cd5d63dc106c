import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { isPackageName, moduleImports, ScriptError } from '../bundle/module-imports.ts';
import { type Finding, errorAt } from './finding.ts';

/** Modules that the kit and the host provide. */
const provided = /^(?:(?:ui|backend)\/plugin-kit|ui\/_host)\//;

/** Modules of a plugin to search for imports that fail at run time. */
export interface ModuleInput {
  directory: string;
  /** Relative paths of all files. */
  files: readonly string[];
  /** The modules that are looked at. */
  modules: readonly string[];
  /** Advice about an npm package; null where packages can be imported. */
  noPackages: string | null;
}

/** Imports that are not there, and modules that cannot be read. */
export async function moduleFindings(input: ModuleInput): Promise<Finding[]> {
  const { directory, files, modules, noPackages } = input;
  const all = modules.map(async (file): Promise<Finding[]> => {
    const text = await readFile(join(directory, file), 'utf8');
    try {
      return moduleImports(text).flatMap(({ specifier, line, column }) => {
        const location = { file, line, column };
        if (isPackageName(specifier)) {
          if (noPackages === null) return [];
          const message = `imports '${specifier}'. ${noPackages}`;
          return [errorAt('import_missing', location, message)];
        }
        const target = posix.join(posix.dirname(file), specifier);
        const isThere = files.includes(target) || provided.test(target);
        if (!specifier.startsWith('.') || isThere) return [];
        const message = `imports '${specifier}', which is not there. Correct the path, with the ending of the file.`;
        return [errorAt('import_missing', location, message, nearPath(file, target, files))];
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

/** As it is written in an import. */
function nearPath(from: string, target: string, files: readonly string[]): string | undefined {
  const found = nearest(target, files);
  if (found === undefined) return undefined;
  const path = posix.relative(posix.dirname(from), found);
  return path.startsWith('.') ? path : `./${path}`;
}
