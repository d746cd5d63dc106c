import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deferrals } from './deferrals.ts';
import { requirements } from './requirements.ts';
import { citedIds } from './requirements/cited-ids.ts';

const root = join(import.meta.dirname, '..');
const folders = 'service,main,preload,plugin-kit,plugins,renderer-shell,e2e,scripts';
const self = join('e2e', 'requirements.test.ts');

const texts = new Map(requirements.map(({ id, text }) => [id, text]));
const described = (id: string): string => `${id}  ${texts.get(id) ?? '(no such requirement)'}`;

/** Returns the test files that cite each id. */
function citations(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const files = globSync(`{${folders}}/**/*.test.{ts,tsx}`, {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|dist)$/.test(path),
  });
  for (const file of files.filter((name) => name !== self).sort()) {
    for (const id of citedIds(file, readFileSync(join(root, file), 'utf8'))) {
      found.set(id, [...(found.get(id) ?? []), file]);
    }
  }
  return found;
}

describe('the list of requirements', () => {
  it('gives every requirement its own id', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id) => !/^[A-Z]+-\d{2,3}$/.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('keeps the ids of an area together and in order', () => {
    const areas = Map.groupBy(requirements, ({ id }) => id.split('-')[0] ?? '');
    const sorted = [...areas.values()].flatMap((area) =>
      area.toSorted((a, b) => numberOf(a.id) - numberOf(b.id)),
    );
    expect(requirements.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
  });

  it('states each requirement in a sentence, with its source', () => {
    const blank = requirements.filter(
      ({ text, source }) => !/^\S+ .+ .+\.$/.test(text) || source === '',
    );
    expect(blank).toEqual([]);
  });

  it('states nothing twice in the same words', () => {
    const allTexts = requirements.map(({ text }) => text);
    expect(allTexts.filter((text, index) => allTexts.indexOf(text) !== index)).toEqual([]);
  });
});

describe('the deferrals', () => {
  it('name requirements that exist', () => {
    expect(Object.keys(deferrals).filter((id) => !texts.has(id))).toEqual([]);
  });

  it('give a reason of at least three words', () => {
    const short = Object.entries(deferrals).filter(([, reason]) => !/\S+\s+\S+\s+\S+/.test(reason));
    expect(short).toEqual([]);
  });
});

describe('the coverage', () => {
  const cited = citations();

  it('has a test or a deferral for every requirement', () => {
    const uncovered = requirements.filter(({ id }) => !cited.has(id) && !(id in deferrals));
    expect(uncovered.map(({ id }) => described(id))).toEqual([]);
  });

  it('cites only requirements that exist', () => {
    const unknown = [...cited].filter(([id]) => !texts.has(id));
    expect(unknown.map(([id, files]) => `${id} in ${files.join(', ')}`)).toEqual([]);
  });

  it('defers nothing that a test already cites', () => {
    const both = [...cited].filter(([id]) => id in deferrals);
    expect(both.map(([id, files]) => `${described(id)} (cited in ${files.join(', ')})`)).toEqual(
      [],
    );
  });
});

describe('what counts as a citation', () => {
  const idsOf = (source: string): string[] => citedIds('sample.test.ts', source);

  it('reads one id or several from the names of tests and their groups', () => {
    expect(idsOf(`it('answers [HTTP-01]', run);`)).toEqual(['HTTP-01']);
    expect(idsOf(`test("both [HTTP-01, LOG-02] and [LOG-113]", run);`)).toEqual([
      'HTTP-01',
      'LOG-02',
      'LOG-113',
    ]);
    expect(idsOf(`describe(\`[LOG-01] \${kind} logs [LOG-02]\`, () => {});`)).toEqual([
      'LOG-01',
      'LOG-02',
    ]);
  });

  it('reads the names of tests in groups, in tables and with modifiers', () => {
    expect(idsOf(`describe('a', () => { it('b [LOG-01]', run); });`)).toEqual(['LOG-01']);
    expect(idsOf(`it.each([1, 2])('row %i [LOG-02]', run);`)).toEqual(['LOG-02']);
    expect(idsOf(`it.each\`a\`('row [LOG-03]', run);`)).toEqual(['LOG-03']);
    expect(idsOf(`describe.concurrent('all [LOG-04]', run);`)).toEqual(['LOG-04']);
  });

  it('reads the names in a page test', () => {
    const source = `it('shows [BRIDGE-01]', () => { render(<Frame name="x" />); });`;
    expect(citedIds('frame.test.tsx', source)).toEqual(['BRIDGE-01']);
  });

  it('ignores comments and other strings', () => {
    expect(idsOf(`// it('[LOG-01]')\nconst text = '[LOG-02]'; expect('[LOG-03]');`)).toEqual([]);
    expect(idsOf(`it('plain', () => log('[LOG-04]'));`)).toEqual([]);
  });

  it('ignores a test that does not run', () => {
    expect(idsOf(`it.skip('[LOG-01]', run); it.todo('[LOG-02]');`)).toEqual([]);
    expect(idsOf(`describe.skip('a', () => { it('[LOG-03]', run); });`)).toEqual([]);
    expect(idsOf(`it.skipIf(true)('[LOG-04]', run);`)).toEqual([]);
  });

  it('reports a malformed id instead of ignoring it', () => {
    expect(idsOf(`it('[LOG-1]', run);`)).toEqual(['LOG-1']);
  });
});

function numberOf(id: string): number {
  return Number(id.split('-')[1]);
}
