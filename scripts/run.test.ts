import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const files = ['run.mjs', 'install.mjs'].map((name) => join(import.meta.dirname, name));

describe('the Node of the project', () => {
  it('is the pinned version 24, whatever the machine has', () => {
    expect(process.version).toMatch(/^v24\./);
    const pinned = join(import.meta.dirname, '..', 'node_modules', '.bin', 'node');
    const { stdout } = spawnSync(pinned, ['--version'], { encoding: 'utf8' });
    expect(stdout.trim()).toBe(process.version);
  });
});

describe.each(files)('%s, which any Node from 20 on runs first', (file) => {
  const source = readFileSync(file, 'utf8');

  it('has no syntax newer than Node 20 understands', () => {
    const older = ts.transpileModule(source, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      fileName: 'run.mjs',
    });
    const same = ts.transpileModule(source, {
      compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
      fileName: 'run.mjs',
    });
    expect(same.outputText).toContain('node:child_process');
    // Syntax newer than ES2022 would have been rewritten.
    expect(older.outputText).toBe(same.outputText);
  });

  it('needs nothing that must be installed', () => {
    const imports = [...source.matchAll(/^import .* from '(.+)';$/gm)].map(([, name]) => name);
    expect(imports.length).toBeGreaterThan(3);
    expect(imports.filter((name) => !name?.startsWith('node:'))).toEqual(
      file.endsWith('run.mjs') ? ['./install.mjs'] : [],
    );
    expect(source).not.toMatch(/import\(|require\(/);
  });

  const machine = spawnSync('/usr/bin/node', ['--version'], { encoding: 'utf8' });

  // Only on machines with Node 20.
  it.runIf(/^v20\./.test(machine.stdout ?? ''))('is parsed by a real Node 20', () => {
    const checked = spawnSync('/usr/bin/node', ['--check', file], { encoding: 'utf8' });
    expect([checked.status, checked.stderr]).toEqual([0, '']);
  });
});
