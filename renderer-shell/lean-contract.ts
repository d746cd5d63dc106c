import { join } from 'node:path';
import { normalizePath, type Plugin, type Rollup } from 'vite';
import type { Endpoint } from '../service/contract/index.ts';
import { api } from '../service/contract/index.ts';

const everyOperation = /export const api = \{[^}]*\};/;

/** What calling an operation takes: its schemas are looked at by the service and by the types alone. */
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
 * Leaves out of the page what it does not use of the contract: the schemas of operations, and those that
 * nothing asks for. Making them took longer than all else before the first frame. What is watched stays whole.
 */
export function leanContract(): Plugin {
  const folder = normalizePath(join(import.meta.dirname, '../service/contract/'));
  return {
    name: 'lean-contract',
    apply: 'build',
    transform(code, id) {
      if (!id.startsWith(folder) || this.meta.watchMode) return null;
      const whole = code.replace(
        everyOperation,
        () => `export const api = ${JSON.stringify(leanApi)};`,
      );
      let lean = '';
      let from = 0;
      for (const { start, end } of makersOf(this.parse(whole).body)) {
        lean += `${whole.slice(from, start)}/*#__PURE__*/ (() => (${whole.slice(start, end)}))()`;
        from = end;
      }
      return { code: lean + whole.slice(from), map: null, moduleSideEffects: false };
    },
  };
}

type Statement = ReturnType<Rollup.PluginContext['parse']>['body'][number];

const plain = new Set(['Literal', 'Identifier', 'ArrowFunctionExpression']);

/** What makes the values of a module; a schema is made by calls that do nothing beside. */
function makersOf(body: readonly Statement[]): { start: number; end: number }[] {
  return body
    .map((one) => (one.type === 'ExportNamedDeclaration' ? one.declaration : one))
    .flatMap((one) => (one?.type === 'VariableDeclaration' ? one.declarations : []))
    .flatMap(({ init }) => (init && !plain.has(init.type) ? [init] : []));
}
