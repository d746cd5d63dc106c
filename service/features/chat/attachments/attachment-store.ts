import { DataTypes, type Transaction } from 'sequelize';
import type { Database } from '../../../platform/database/database.ts';
import { Conditions } from '../../../platform/database/conditions.ts';
import { Table } from '../../../platform/database/table.ts';

/** The text of an attached file, as it is stored. */
export interface AttachmentText {
  refId: string;
  /** The part that the model receives with the message. */
  excerpt: string;
  /** The complete text. */
  text: string;
}

/** A part of a text; offsets and lengths are in UTF-16 code units. */
export interface TextSlice {
  text: string;
  totalCharacters: number;
}

/** Characters per row, so that a part of a long text can be read without the rest. */
const pieceLength = 64 * 1024;
const partsAtOnce = 16;
/** Above the length of any text. */
const maxCharacters = 1_000_000_000;

interface Stored {
  conversation_id: string;
  attachment_id: string;
  part: number;
  body: string;
}

/** Stores the texts of files attached to messages. */
export class AttachmentStore {
  private readonly database: Database;
  private readonly table: Table<Stored>;

  constructor(database: Database) {
    this.database = database;
    this.table = new Table(database, 'conversation_attachments', {
      conversation_id: { type: DataTypes.STRING(36), primaryKey: true },
      attachment_id: { type: DataTypes.STRING(36), primaryKey: true },
      part: { type: DataTypes.INTEGER, primaryKey: true },
      body: { type: DataTypes.TEXT, allowNull: false },
    });
  }

  async write(
    conversationId: string,
    texts: readonly AttachmentText[],
    transaction: Transaction,
  ): Promise<void> {
    for (const { refId, excerpt, text } of texts) {
      const parts = [excerpt, ...piecesOf(text)].map((body, part) => ({
        conversation_id: conversationId,
        attachment_id: refId,
        part,
        body: JSON.stringify(body),
      }));
      await this.table.addAll(parts, transaction, partsAtOnce);
    }
  }

  /** Excerpts of a conversation by attachment id. */
  async excerpts(conversationId: string): Promise<Map<string, string>> {
    const where = { conversation_id: conversationId, part: 0 };
    const found = await this.table.select(['attachment_id', 'body'], { where });
    return new Map(found.map((row) => [row.attachment_id, textOf(row)]));
  }

  /**
   * Returns the excerpt for the model, and the length of the complete text; null if it is not
   * stored.
   */
  async excerpt(
    conversationId: string,
    refId: string,
  ): Promise<{ excerpt: string; totalCharacters: number } | null> {
    const where = { conversation_id: conversationId, attachment_id: refId, part: 0 };
    const [row] = await this.table.select(['body'], { where });
    const slice = await this.slice(conversationId, refId, { offset: 0, limit: 0 });
    if (row === undefined || slice === null) return null;
    return { excerpt: textOf(row), totalCharacters: slice.totalCharacters };
  }

  /** Null if no such attachment is stored. */
  async slice(
    conversationId: string,
    refId: string,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<TextSlice | null> {
    const all = { conversation_id: conversationId, attachment_id: refId };
    const [last] = await this.table.select(['part', 'body'], {
      where: all,
      order: ['part DESC'],
      limit: 1,
    });
    if (last === undefined) return null;
    const totalCharacters = Math.max(0, last.part - 1) * pieceLength + textOf(last).length;
    const first = Math.floor(offset / pieceLength);
    const where = Conditions.equal(all);
    where.add(`part > ${where.value(first)}`);
    where.add(`part <= ${where.value(Math.floor((offset + limit) / pieceLength) + 1)}`);
    const found = await this.table.select(['body'], { where, order: ['part'] });
    const from = offset - first * pieceLength;
    const text = found.map(textOf).join('');
    return { text: text.slice(from, from + limit), totalCharacters };
  }

  /** The complete text; null if it is not stored. */
  async whole(conversationId: string, refId: string): Promise<string | null> {
    const all = { offset: 0, limit: maxCharacters };
    return (await this.slice(conversationId, refId, all))?.text ?? null;
  }

  async copy(
    { from, to, ids }: { from: string; to: string; ids: readonly string[] },
    transaction: Transaction,
  ): Promise<void> {
    if (ids.length === 0) return;
    const placeholders = ids.map((_, index) => `$${index + 3}`).join(', ');
    await this.database.sequelize.query(
      `INSERT INTO conversation_attachments (conversation_id, attachment_id, part, body)
       SELECT $1, attachment_id, part, body FROM conversation_attachments
       WHERE conversation_id = $2 AND attachment_id IN (${placeholders})`,
      { bind: [to, from, ...ids], transaction },
    );
  }

  async remove(conversationId: string, transaction: Transaction): Promise<void> {
    await this.table.model.destroy({ where: { conversation_id: conversationId }, transaction });
  }
}

/** Stored as a JSON string, since a piece may begin or end within a surrogate pair. */
const textOf = ({ body }: Pick<Stored, 'body'>): string => JSON.parse(body) as string;

/** At least one piece, so that an empty text has a row, too. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length || start === 0; start += pieceLength)
    pieces.push(text.slice(start, start + pieceLength));
  return pieces;
}
