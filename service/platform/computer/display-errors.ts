import { HostError } from '../../core/host-error.ts';
import type { ComputerDisplay, Point } from './computer-engine.ts';
import { msg } from '../../messages/index.ts';

export function outsideScreenError(point: Point, displays: readonly ComputerDisplay[]): HostError {
  const areas = displays.map((one) =>
    msg('computer.displayArea', {
      id: one.id,
      left: one.x,
      top: one.y,
      right: one.x + one.width - 1,
      bottom: one.y + one.height - 1,
    }),
  );
  const message = msg('computer.outsideScreen', { x: point.x, y: point.y, areas });
  return new HostError('invalid', 'outside_screen', message);
}

/**
 * Returns the display with that id, otherwise the primary one. @throws HostError `unknown_display`
 */
export function findDisplay<Display extends { id: string; primary: boolean }>(
  displays: readonly Display[],
  id: string | undefined,
): Display {
  const found = displays.find((one) => (id === undefined ? one.primary : one.id === id));
  const [first] = displays;
  if (found) return found;
  if (id === undefined && first) return first;
  const names = displays.map((one) => one.id);
  const message = msg('computer.unknownDisplay', { id: (id ?? '').slice(0, 100), ids: names });
  throw new HostError('missing', 'unknown_display', message);
}
