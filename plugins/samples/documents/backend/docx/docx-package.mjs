import { posix } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { limits, refuse } from '../limits.mjs';
import { parseXml, xmlText } from './xml.mjs';

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = '[Content_Types].xml';

/**
 * @typedef {object} Relation
 * @property {string} id
 * @property {string} type the last part of its type: `image`
 * @property {string} target path of a part, or an address
 * @property {boolean} external
 */

/** The parts of a DOCX file. */
export class DocxPackage {
  /** @type {Map<string, Uint8Array>} */
  parts;
  #xml = new Map();

  constructor(parts) {
    this.parts = parts;
  }

  /**
   * Opens a DOCX file.
   * @throws RpcError if it is not a DOCX file or is too large
   */
  static open(bytes, name) {
    if (Buffer.from(bytes.subarray(0, 4)).equals(Buffer.from('d0cf11e0', 'hex')))
      throw refuse('protected', `${name} has a password, or is no DOCX file.`, { file: name });
    const broken = () =>
      refuse('broken', `${name} is damaged, or is no DOCX file.`, { file: name });
    let total = 0;
    let found;
    try {
      found = unzipSync(bytes, {
        filter(entry) {
          total += entry.originalSize;
          return total <= limits.unpackedBytes && !entry.name.endsWith('/');
        },
      });
    } catch {
      throw broken();
    }
    if (total > limits.unpackedBytes)
      throw refuse('file_too_large', `${name} holds more than 384 MiB.`, {
        file: name,
        limit: 384,
      });
    const opened = new DocxPackage(new Map(Object.entries(found)));
    try {
      if (opened.body !== undefined) return opened;
    } catch {
      // Reported below.
    }
    throw broken();
  }

  /** Returns a copy that can be changed independently. */
  copy() {
    return new DocxPackage(new Map(this.parts));
  }

  get mainPath() {
    return this.relations('').find(({ type }) => type === 'officeDocument')?.target ?? '';
  }

  get body() {
    const root = this.xml(this.mainPath)?.documentElement;
    return [...(root?.childNodes ?? [])].find(({ localName }) => localName === 'body');
  }

  /** Parses a part; `toBytes` writes it back. Returns null if there is none. */
  xml(path) {
    const known = this.#xml.get(path);
    if (known !== undefined) return known;
    const bytes = this.parts.get(path);
    if (bytes === undefined) return null;
    const document = parseXml(strFromU8(bytes).replace(/^\ufeff/, ''));
    this.#xml.set(path, document);
    return document;
  }

  /** Returns the path of the main document's part of this kind. */
  partOf(type) {
    const found = this.relations(this.mainPath).find((one) => one.type === type && !one.external);
    return found !== undefined && this.parts.has(found.target) ? found.target : null;
  }

  /** @returns {Relation[]} relations of a part; `''` is the package itself */
  relations(path) {
    const document = this.xml(relationsPath(path));
    if (document === null) return [];
    return [...document.documentElement.childNodes]
      .filter(({ localName }) => localName === 'Relationship')
      .map((node) => {
        const external = node.getAttribute('TargetMode') === 'External';
        const target = node.getAttribute('Target') ?? '';
        const folder = posix.dirname(path === '' ? '.' : path);
        const inside = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
        return {
          id: node.getAttribute('Id') ?? '',
          type: (node.getAttribute('Type') ?? '').split('/').at(-1) ?? '',
          fullType: node.getAttribute('Type') ?? '',
          target: external ? target : inside,
          external,
        };
      });
  }

  /** @returns {string} the id of the new relation, or `id` */
  addRelation(path, { fullType, target, external }, id = null) {
    const at = relationsPath(path);
    if (!this.parts.has(at))
      this.addPart(at, strToU8(`<Relationships xmlns="${RELATIONS}"/>`), null);
    const document = this.xml(at);
    const used = new Set(this.relations(path).map((one) => one.id));
    let name = id ?? `rId${used.size + 1}`;
    for (let number = used.size + 2; id === null && used.has(name); number++) name = `rId${number}`;
    const node = document.createElementNS(RELATIONS, 'Relationship');
    node.setAttribute('Id', name);
    node.setAttribute('Type', fullType);
    node.setAttribute('Target', external ? target : `/${target}`);
    if (external) node.setAttribute('TargetMode', 'External');
    document.documentElement.appendChild(node);
    return name;
  }

  removeRelations(path, isUnused) {
    const document = this.xml(relationsPath(path));
    if (document === null) return;
    const unused = new Set(
      this.relations(path)
        .filter(isUnused)
        .map(({ id }) => id),
    );
    for (const node of [...document.documentElement.childNodes])
      if (node.nodeType === 1 && unused.has(node.getAttribute('Id')))
        node.parentNode.removeChild(node);
  }

  contentTypeOf(path) {
    const nodes = [...this.xml(TYPES).documentElement.childNodes].filter(
      (one) => one.nodeType === 1,
    );
    const own = nodes.find((one) => one.getAttribute('PartName') === `/${path}`);
    const ending = posix.extname(path).slice(1).toLowerCase();
    const all = nodes.find((one) => one.getAttribute('Extension')?.toLowerCase() === ending);
    return (own ?? all)?.getAttribute('ContentType') ?? null;
  }

  /** @param {string | null} contentType null for relations */
  addPart(path, bytes, contentType) {
    this.parts.set(path, bytes);
    this.#xml.delete(path);
    if (contentType === null || this.contentTypeOf(path) === contentType) return;
    const document = this.xml(TYPES);
    const root = document.documentElement;
    const node = document.createElementNS(root.namespaceURI, 'Override');
    node.setAttribute('PartName', `/${path}`);
    node.setAttribute('ContentType', contentType);
    root.appendChild(node);
  }

  /** Leaves out parts that nothing refers to any more. */
  toBytes() {
    for (const [path, document] of this.#xml) this.parts.set(path, strToU8(xmlText(document)));
    const reached = this.#reachable();
    const types = this.xml(TYPES);
    for (const node of [...types.documentElement.childNodes]) {
      const part = node.nodeType === 1 ? node.getAttribute('PartName') : null;
      if (part && !reached.has(part.slice(1))) node.parentNode.removeChild(node);
    }
    this.parts.set(TYPES, strToU8(xmlText(types)));
    const kept = [...this.parts].filter(([path]) => reached.has(path));
    return zipSync(Object.fromEntries(kept), { level: 6 });
  }

  #reachable() {
    const reached = new Set([TYPES]);
    const visit = (path) => {
      if (reached.has(path)) return;
      reached.add(path);
      if (this.parts.has(relationsPath(path))) reached.add(relationsPath(path));
      for (const { target, external } of this.relations(path)) if (!external) visit(target);
    };
    visit('');
    reached.delete('');
    return reached;
  }
}

const relationsPath = (path) =>
  path === '' ? '_rels/.rels' : `${posix.dirname(path)}/_rels/${posix.basename(path)}.rels`;
