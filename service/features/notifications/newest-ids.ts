/** The highest ids that were added and not removed, up to a limit, and the bound below them. */
export class NewestIds {
  private readonly most: number;
  /** Ascending. */
  private readonly ids: number[] = [];
  /** All ids up to this one are no longer included. */
  fallenUpTo = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Returns true if the limit displaced an id. Ids may arrive slightly out of order. */
  add(id: number): boolean {
    let at = this.ids.length;
    while (at > 0 && (this.ids[at - 1] as number) > id) at -= 1;
    this.ids.splice(at, 0, id);
    if (this.ids.length <= this.most) return false;
    this.fallenUpTo = this.ids.shift() as number;
    return true;
  }

  remove(id: number): void {
    const at = this.ids.indexOf(id);
    if (at !== -1) this.ids.splice(at, 1);
  }
}
