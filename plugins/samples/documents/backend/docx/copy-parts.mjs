import { posix } from 'node:path';
import { relationsIn } from './split-docx.mjs';
import { descendants } from './xml.mjs';

/**
 * Copies pictures, headers, charts and link targets from one package to another, each of them once.
 */
export class PartCopier {
  #target;
  #source;
  /** Called with the path of each copied header and footer. */
  #onText;
  /** @type {Map<string, string>} */
  #copied = new Map();

  constructor(target, source, onText) {
    this.#target = target;
    this.#source = source;
    this.#onText = onText;
  }

  /**
   * Copies the relations that copied nodes refer to.
   * @param {Element} node in the target
   * @param {{ from: string, to: string }} paths of the part that it comes from, and of the part it
   * is in now
   */
  connect(node, { from, to }) {
    const relations = new Map(this.#source.relations(from).map((one) => [one.id, one]));
    const ids = this.#idsOf(from, to);
    for (const one of [node, ...descendants(node)])
      for (const attribute of relationsIn(one)) {
        const relation = relations.get(attribute.value);
        if (relation === undefined) continue;
        let id = ids.get(relation.id);
        if (id === undefined) {
          id = this.#target.addRelation(to, this.#relation(relation));
          ids.set(relation.id, id);
        }
        attribute.value = id;
      }
  }

  #ids = new Map();
  #idsOf(from, to) {
    const key = `${from}\n${to}`;
    const known = this.#ids.get(key) ?? new Map();
    this.#ids.set(key, known);
    return known;
  }

  #relation(relation) {
    return relation.external ? relation : { ...relation, target: this.#copy(relation) };
  }

  #copy({ target: path, type }) {
    const known = this.#copied.get(path);
    if (known !== undefined) return known;
    const bytes = this.#source.parts.get(path);
    if (bytes === undefined) return path;
    const copy = this.#freePath(path);
    this.#copied.set(path, copy);
    this.#target.addPart(copy, bytes, this.#source.contentTypeOf(path));
    for (const relation of this.#source.relations(path))
      this.#target.addRelation(copy, this.#relation(relation), relation.id);
    if (type === 'header' || type === 'footer') this.#onText(copy);
    return copy;
  }

  #freePath(path) {
    const { dir, name, ext } = posix.parse(path);
    let free = path;
    for (let number = 2; this.#target.parts.has(free); number++)
      free = `${dir}/${name}-${number}${ext}`;
    return free;
  }
}
