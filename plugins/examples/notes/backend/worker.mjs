import { createWorker, failed } from './plugin-kit/worker.mjs';
import { openDatabase } from './database.mjs';

const maxListed = 200;

async function openNotes() {
  const database = await openDatabase(process.env);
  await database.run(
    `CREATE TABLE IF NOT EXISTS notes (id ${database.idColumn}, text VARCHAR(2000) NOT NULL, created_at VARCHAR(30) NOT NULL)`,
  );
  return database;
}

/** Opened at the first call; a failed attempt is repeated at the next call. */
let opening = null;
function notes() {
  opening ??= openNotes().catch((error) => {
    opening = null;
    throw failed(error.message, 'database');
  });
  return opening;
}

/** Returns a LIKE pattern in which `%` and `_` are literal. */
const containing = (words) => `%${words.replaceAll(/[!%_]/g, (found) => `!${found}`)}%`;

createWorker()
  .method('add', async ({ text }) => {
    const values = [text, new Date().toISOString()];
    const { id } = await (
      await notes()
    ).run('INSERT INTO notes (text, created_at) VALUES (?, ?)', values);
    return { id };
  })
  .method('search', async ({ words = '' }) => {
    const { rows } = await (
      await notes()
    ).run(
      `SELECT id, text, created_at FROM notes WHERE text LIKE ? ESCAPE '!' ORDER BY id DESC LIMIT ${maxListed}`,
      [containing(words)],
    );
    return rows.map(({ id, text, created_at: createdAt }) => ({ id, text, createdAt }));
  })
  .method('remove', async ({ id }) => {
    const { changes } = await (await notes()).run('DELETE FROM notes WHERE id = ?', [id]);
    return { removed: changes > 0 };
  })
  .run();
