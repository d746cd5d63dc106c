import type { OwnedProcess } from '../../platform/processes.ts';
import type { TestDisplay } from './open-display.ts';

export interface SeenEvents {
  program: OwnedProcess;
  /** What xev wrote, a line each without blanks at its ends; of the events since the last `clear`. */
  text(): string;
  clear(): void;
}

/** A real program whose window, at that place, tells of every event that it gets. */
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
