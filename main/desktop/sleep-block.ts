import { powerSaveBlocker } from 'electron';

/** Keeps the computer awake while runs are active if the setting is on. The screen may turn off. */
export class SleepBlock {
  private isWanted = false;
  private runs = 0;
  private id: number | null = null;

  want(wanted: boolean): void {
    this.isWanted = wanted;
    this.follow();
  }

  runsActive(count: number): void {
    this.runs = count;
    this.follow();
  }

  /** Number of active runs. */
  get activeRuns(): number {
    return this.runs;
  }

  private follow(): void {
    const blocks = this.isWanted && this.runs > 0;
    if (blocks && this.id === null) this.id = powerSaveBlocker.start('prevent-app-suspension');
    if (blocks || this.id === null) return;
    powerSaveBlocker.stop(this.id);
    this.id = null;
  }
}
