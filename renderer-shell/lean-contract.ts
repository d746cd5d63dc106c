import { join } from 'node:path';
import { normalizePath, type Plugin, type Rollup } from 'vite';
import type { Endpoint } from '../service/contract/index.ts';
import { api } from '../service/contract/index.ts';

const everyOperation = /export const api = \{[^}]*\};/;

/** Returns what a call of an operation needs: only the service and the types use its schemas. */
function calledAs({ method, path, access, body }: Endpoint): object {
  if (body === undefined) return { method, path, access };
  const { kind, file, many } = 'kind' in body ? body : {};
  return { method, path, access, body: { kind, file, many } };
}

const leanApi = Object.fromEntries(
  Object.entries(api).map(([feature, endpoints]) => [
    feature,
    Object.fromEntries(
      Object.entries<Endpoint>(endpoints).map(([name, one]) => [name, calledAs(one)]),
    ),
  ]),
);

/**
 * Removes unused parts of the contract from the page: the schemas of operations, and those that
 * nothing refers to. Creating them took longer than everything else before the first frame. In
 * watch mode the contract stays complete.
 */
export function leanContract(): Plugin {
  const folder = normalizePath(join(import.meta.dirname, '../service/contract/'));
  return {
    name: 'lean-contract',
    apply: 'build',
    transform(code, id) {
      if (!id.startsWith(folder) || this.meta.watchMode) return null;
      const replaced = code.replace(
        everyOperation,
        () => `export const api = ${JSON.stringify(leanApi)};`,
      );
      let lean = '';
      let from = 0;
      for (const { start, end } of schemaStatements(this.parse(replaced).body)) {
        lean += `${replaced.slice(from, start)}/*#__PURE__*/ (() => (${replaced.slice(start, end)}))()`;
        from = end;
      }
      return { code: lean + replaced.slice(from), map: null, moduleSideEffects: false };
    },
  };
}

type Statement = ReturnType<Rollup.PluginContext['parse']>['body'][number];

const plain = new Set(['Literal', 'Identifier', 'ArrowFunctionExpression']);

/**
 * Returns the statements that create the values of a module; schemas are created by calls without
 * side effects.
 */
function schemaStatements(body: readonly Statement[]): { start: number; end: number }[] {
  return body
    .map((one) => (one.type === 'ExportNamedDeclaration' ? one.declaration : one))
    .flatMap((one) => (one?.type === 'VariableDeclaration' ? one.declarations : []))
    .flatMap(({ init }) => (init && !plain.has(init.type) ? [init] : []));
}
