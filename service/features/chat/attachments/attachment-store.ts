import { DataTypes, type Model, type ModelStatic, type Transaction } from 'sequelize';
import type { Database } from '../../../platform/database/database.ts';
import { defineTable } from '../../../platform/database/define-table.ts';

/** The text of an attached file, as it is stored. */
export interface AttachmentText {
  refId: string;
  /** What the model is given with the message. */
  excerpt: string;
  /** All of it. */
  text: string;
}

/** Part of a text. */
export interface TextSlice {
  text: string;
  totalCharacters: number;
}

/** Characters of one row, so that a part of a long text can be read alone. */
const pieceLength = 64 * 1024;
const rowsAtOnce = 16;
/** More than any text has. */
const mostCharacters = 1_000_000_000;

interface Stored {
  attachment_id: string;
  part: number;
  body: string;
}

/** The texts of files that are attached to messages. */
export class AttachmentStore {
  private readonly database: Database;
  private readonly rows: ModelStatic<Model>;

  constructor(database: Database) {
    this.database = database;
    this.rows = defineTable(database.sequelize, 'conversation_attachments', {
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
      for (let start = 0; start < parts.length; start += rowsAtOnce)
        await this.rows.bulkCreate(parts.slice(start, start + rowsAtOnce), { transaction });
    }
  }

  /** What the model is given of each, by its id. */
  async excerpts(conversationId: string): Promise<Map<string, string>> {
    const found = await this.database.select<Pick<Stored, 'attachment_id' | 'body'>>(
      `SELECT attachment_id, body FROM conversation_attachments
       WHERE conversation_id = $1 AND part = 0`,
      [conversationId],
    );
    return new Map(found.map((row) => [row.attachment_id, textOf(row)]));
  }

  /** Null where nothing of it is stored. */
  async slice(
    conversationId: string,
    refId: string,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<TextSlice | null> {
    const values = [conversationId, refId];
    const [last] = await this.database.select<Pick<Stored, 'part' | 'body'>>(
      `SELECT part, body FROM conversation_attachments
       WHERE conversation_id = $1 AND attachment_id = $2 ORDER BY part DESC LIMIT 1`,
      values,
    );
    if (last === undefined) return null;
    const totalCharacters = Math.max(0, last.part - 1) * pieceLength + textOf(last).length;
    const first = Math.floor(offset / pieceLength);
    const found = await this.database.select<Pick<Stored, 'body'>>(
      `SELECT body FROM conversation_attachments
       WHERE conversation_id = $1 AND attachment_id = $2 AND part >= $3 AND part <= $4
       ORDER BY part`,
      [...values, first + 1, Math.floor((offset + limit) / pieceLength) + 1],
    );
    const from = offset - first * pieceLength;
    const text = found.map(textOf).join('');
    return { text: text.slice(from, from + limit), totalCharacters };
  }

  /** All of the text. */
  async whole(conversationId: string, refId: string): Promise<string | null> {
    const all = { offset: 0, limit: mostCharacters };
    return (await this.slice(conversationId, refId, all))?.text ?? null;
  }

  async copy(
    { from, to, ids }: { from: string; to: string; ids: readonly string[] },
    transaction: Transaction,
  ): Promise<void> {
    if (ids.length === 0) return;
    const places = ids.map((_, index) => `$${index + 3}`).join(', ');
    await this.database.sequelize.query(
      `INSERT INTO conversation_attachments (conversation_id, attachment_id, part, body)
       SELECT $1, attachment_id, part, body FROM conversation_attachments
       WHERE conversation_id = $2 AND attachment_id IN (${places})`,
      { bind: [to, from, ...ids], transaction },
    );
  }

  async remove(conversationId: string, transaction: Transaction): Promise<void> {
    await this.rows.destroy({ where: { conversation_id: conversationId }, transaction });
  }
}

/** A JSON string: a piece may begin or end within a pair of surrogates. */
const textOf = ({ body }: Pick<Stored, 'body'>): string => JSON.parse(body) as string;

/** At least one, so that an empty text is known as well. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length || start === 0; start += pieceLength)
    pieces.push(text.slice(start, start + pieceLength));
  return pieces;
}
