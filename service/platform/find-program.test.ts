import { describe, expect, it } from 'vitest';
import { fileNames, programExtensions } from './find-program.ts';

describe('the file of a program', () => {
  it('has just its name if there are no extensions', () => {
    expect(fileNames('npx', ['.exe', '.cmd'], 'linux')).toEqual(['npx']);
    expect(fileNames('npx', ['.exe', '.cmd'], 'darwin')).toEqual(['npx']);
  });

  it('has one of the extensions on Windows, unless its name includes one', () => {
    expect(fileNames('npx', ['.exe', '.cmd'], 'win32')).toEqual(['npx.exe', 'npx.cmd']);
    expect(fileNames('npx.CMD', ['.exe', '.cmd'], 'win32')).toEqual(['npx.CMD']);
    expect(fileNames('python3.12', ['.exe'], 'win32')).toEqual(['python3.12.exe']);
  });

  it.each<[string, string[]]>([
    ['.COM;.EXE;.BAT;.CMD;.VBS;.JS;.MSC', ['.com', '.exe', '.bat', '.cmd']],
    ['.CMD; .EXE', ['.cmd', '.exe']],
    ['', ['.com', '.exe', '.bat', '.cmd']],
    ['.PY;.JS', ['.com', '.exe', '.bat', '.cmd']],
  ])('are those of %j that can be started', (pathExt, extensions) => {
    expect(programExtensions(pathExt)).toEqual(extensions);
  });
});
