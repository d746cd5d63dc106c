import type { OwnedProcess } from '../../platform/processes.ts';
import type { TestDisplay } from './open-display.ts';

/** Events that a window received. */
export interface SeenEvents {
  program: OwnedProcess;
  /** Output of xev since the last `clear`, with trimmed lines. */
  text(): string;
  clear(): void;
}

/** Starts xev with a window at this position, which prints every event that it receives. */
export async function watchEvents(display: TestDisplay, geometry: string): Promise<SeenEvents> {
  const program = await display.start('xev', ['-geometry', geometry, '-name', 'Watcher']);
  let text = '';
  program.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  return {
    program,
    text: () => text.replaceAll(/\s+/g, ' '),
    clear: () => (text = ''),
  };
}
