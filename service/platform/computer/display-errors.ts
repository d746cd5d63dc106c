import { HostError } from '../../core/host-error.ts';
import type { ComputerDisplay, Point } from './computer-engine.ts';

export function outsideScreenError(point: Point, displays: readonly ComputerDisplay[]): HostError {
  const displayList = displays.map(
    (one) =>
      `${one.id} from ${one.x}, ${one.y} to ${one.x + one.width - 1}, ${one.y + one.height - 1}`,
  );
  const message = `The point ${point.x}, ${point.y} is on no display. There is ${displayList.join('; ')}.`;
  return new HostError('invalid', 'outside_screen', message);
}

/** The one of that id, else the primary one. @throws HostError `unknown_display` */
export function findDisplay<Display extends { id: string; primary: boolean }>(
  displays: readonly Display[],
  id: string | undefined,
): Display {
  const found = displays.find((one) => (id === undefined ? one.primary : one.id === id));
  const [first] = displays;
  if (found) return found;
  if (id === undefined && first) return first;
  const names = displays.map((one) => one.id).join(', ');
  const message = `There is no display ${(id ?? '').slice(0, 100)}. The displays are: ${names}.`;
  throw new HostError('missing', 'unknown_display', message);
}
