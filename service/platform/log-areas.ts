import { logAreas, logLevels } from '../contract/log-areas.ts';

export type Level = (typeof logLevels)[number];
export type LogArea = (typeof logAreas)[number];

export type AreaLevels = Readonly<Partial<Record<LogArea, Level>>>;

const rank = (level: Level): number => logLevels.indexOf(level);

/** Decides which lines are written, with a comparison of two numbers. */
export class LevelFilter {
  private general: Level;
  private own: AreaLevels = {};
  private ranks = new Map<LogArea, number>();

  constructor(level: Level) {
    this.general = level;
    this.rebuild();
  }

  get level(): Level {
    return this.general;
  }

  set level(level: Level) {
    this.general = level;
    this.rebuild();
  }

  get areas(): AreaLevels {
    return this.own;
  }

  set areas(areas: AreaLevels) {
    this.own = areas;
    this.rebuild();
  }

  passes(level: Level, area: LogArea): boolean {
    return rank(level) >= (this.ranks.get(area) ?? rank(this.general));
  }

  private rebuild(): void {
    this.ranks = new Map(logAreas.map((area) => [area, rank(this.own[area] ?? this.general)]));
  }
}
