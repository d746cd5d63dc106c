/** The highest ids that were added and not removed, at most so many, and where those before them end. */
export class NewestIds {
  private readonly most: number;
  /** Ascending. */
  private readonly ids: number[] = [];
  /** Whatever has this id or a lower one is no longer among them. */
  fallenUpTo = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** True when an id fell out for it. Ids may come a little out of order. */
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
