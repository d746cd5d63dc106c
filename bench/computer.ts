import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { X11Engine } from '../service/platform/computer/x11/x11-engine.ts';
import { findProgram } from '../service/platform/find-program.ts';
import { createProcesses } from '../service/platform/processes.ts';
import { openComputer } from '../service/testing/computer/open-computer.ts';
import { openDisplay } from '../service/testing/computer/open-display.ts';
import { interleave, milliseconds } from './harness/measure.ts';
import { compare, notMeasured, type Row } from './harness/table.ts';

const rounds = 40;
const warmUps = 4;
const name = 'screenshot of a screen';
const target = { most: 1.5 };
/** Time for the programs on the screen to be drawn. */
const settleMs = 1_500;

/** `computer_screenshot` against the bare capture tool: the same screen as a PNG. */
export async function computer(directory: string): Promise<Row[]> {
  if ((await findProgram('scrot')) === null || (await findProgram('Xvfb')) === null)
    return [notMeasured(name, target, 'there is no scrot or no Xvfb here')];
  const processes = createProcesses();
  const display = await openDisplay();
  const ours = openComputer(new X11Engine({ processes, display: display.name }));
  try {
    for (const geometry of ['80x24+10+10', '100x30+500+300']) {
      const args = [
        '-geometry',
        geometry,
        '-e',
        'sh',
        '-c',
        'ls -lR /usr/share/X11 | head -40; cat',
      ];
      const terminal = await display.start('xterm', args);
      terminal.stdout.resume();
    }
    await delay(settleMs);
    const file = join(directory, 'bare.png');
    const bare = async (): Promise<void> => {
      const { exited, stdout } = await display.start('scrot', ['-o', file]);
      stdout.resume();
      if ((await exited).code !== 0) throw new Error('scrot failed.');
    };
    const capture = async (): Promise<void> => {
      const { success, output } = await ours.call('screenshot');
      if (!success) throw new Error(output);
    };
    const samples = await interleave(
      rounds,
      { ours: () => milliseconds(capture), bare: () => milliseconds(bare) },
      warmUps,
    );
    return [
      compare({
        name,
        unit: 'ms',
        ours: samples.ours,
        other: samples.bare,
        against: 'bare',
        target,
      }),
    ];
  } finally {
    await ours.close();
    await display.close();
    await processes.close();
  }
}
