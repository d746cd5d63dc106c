import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it.runIf(process.platform === 'linux')(
  'closes what was open where the process was started, and leaves the rest',
  () => {
    const script = `
      import { openSync } from 'node:fs';
      import { execFileSync } from 'node:child_process';
      import { closeInherited } from ${JSON.stringify(new URL('inherited-descriptors.ts', import.meta.url).href)};
      const list = () => execFileSync('ls', ['/proc/self/fd'], { encoding: 'utf8' }).split('\\n');
      const before = list().includes('60');
      await closeInherited();
      const own = openSync('/dev/null');
      console.log(JSON.stringify([before, list().includes('60'), own > 2]));`;
    const command = `exec 60< /; exec "$0" --input-type=module -e "$1"`;
    const output = execFileSync('bash', ['-c', command, process.execPath, script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual([true, false, true]);
  },
);
