import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataTypes, type Model, type ModelStatic, Sequelize } from 'sequelize';
import sqlite3 from 'sqlite3';
import type { Database } from '../service/platform/database/database.ts';
import { openDatabase } from '../service/platform/database/open-database.ts';
import { interleave, milliseconds, perSecond } from './harness/measure.ts';
import type { Server } from './harness/processes.ts';
import { compare, type Row } from './harness/table.ts';
import { healthPath, prepareHost, startHost } from './harness/two-servers.ts';
import { firstAnswer } from './harness/wire.ts';

const rounds = 9;
const inserts = 300;
const stored = 100_000;
const newest = 100;
const conversations = 10_000;
const startRounds = 11;

const text = 'x'.repeat(1_024);

/** A row the size of a message, event or notification. */
function row(): { user_id: number; source: string; body: string; created_at: Date } {
  return { user_id: 1, source: 'host', body: text, created_at: new Date() };
}

/** Writes and reads, against Sequelize on the same kind of file. */
export async function database(directory: string): Promise<Row[]> {
  return [...(await writing(directory)), await reading(directory), await starting(directory)];
}

/** Sequelize with durable settings. */
async function bareSequelize(file: string): Promise<{ sequelize: Sequelize; events: Events }> {
  const sequelize = new Sequelize({
    dialect: 'sqlite',
    dialectModule: sqlite3,
    storage: file,
    logging: false,
  });
  for (const pragma of ['journal_mode=WAL', 'synchronous=FULL'])
    await sequelize.query(`PRAGMA ${pragma}`);
  return { sequelize, events: eventsOn(sequelize) };
}

type Events = ModelStatic<Model>;

function eventsOn(sequelize: Sequelize): Events {
  return sequelize.define(
    'event',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      user_id: { type: DataTypes.INTEGER, allowNull: false },
      source: { type: DataTypes.STRING(200), allowNull: false },
      body: { type: DataTypes.TEXT },
      created_at: { type: DataTypes.DATE(3), allowNull: false },
    },
    { tableName: 'events', timestamps: false },
  );
}

async function oursOn(file: string): Promise<{ ours: Database; events: Events }> {
  const ours = await openDatabase({ type: 'SQLITE', filePath: file });
  return { ours, events: eventsOn(ours.sequelize) };
}

async function writing(directory: string): Promise<Row[]> {
  const { ours, events } = await oursOn(join(directory, 'ours.db'));
  const bare = await bareSequelize(join(directory, 'bare.db'));
  await events.sync();
  await bare.events.sync();
  const perInsert = (insert: () => Promise<unknown>) => (): Promise<number> =>
    perSecond(inserts, async () => {
      for (let count = 0; count < inserts; count += 1) await insert();
    });
  const rate = await interleave(rounds, {
    model: perInsert(() => events.create(row())),
    bare: perInsert(() => bare.events.create(row())),
    hot: perInsert(() => ours.insert('events', row())),
    together: () =>
      perSecond(inserts, () =>
        Promise.all(Array.from({ length: inserts }, () => ours.insert('events', row()))),
      ),
  });
  await ours.close();
  await bare.sequelize.close();
  const against = { unit: '/s', other: rate.bare, against: 'bare' } as const;
  return [
    compare({
      ...against,
      name: 'durable insert, ordinary',
      ours: rate.model,
      target: { least: 0.9 },
    }),
    compare({ ...against, name: 'durable insert, hot path', ours: rate.hot, target: { least: 2 } }),
    compare({
      ...against,
      name: `hot path, ${inserts} at once`,
      ours: rate.together,
      target: { least: 2 },
    }),
  ];
}

async function reading(directory: string): Promise<Row> {
  const file = join(directory, 'many.db');
  const { ours, events } = await oursOn(file);
  await events.sync();
  await fill(ours, stored);
  const bare = await bareSequelize(file);
  const times = 50;
  const perRead = (read: () => Promise<unknown[]>) => (): Promise<number> =>
    perSecond(times, async () => {
      for (let count = 0; count < times; count += 1) {
        const rows = await read();
        if (rows.length !== newest) throw new Error(`${rows.length} rows came.`);
      }
    });
  const sql = `SELECT id, user_id, source, body, created_at FROM "events" ORDER BY id DESC LIMIT $1`;
  const rate = await interleave(rounds, {
    ours: perRead(() => ours.select(sql, [newest])),
    bare: perRead(() => bare.events.findAll({ order: [['id', 'DESC']], limit: newest, raw: true })),
  });
  await ours.close();
  await bare.sequelize.close();
  return compare({
    name: 'newest 100 of 100 000',
    unit: '/s',
    ours: rate.ours,
    other: rate.bare,
    against: 'bare',
    target: { least: 1 },
  });
}

async function fill(ours: Database, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1_000)
    await Promise.all(Array.from({ length: 1_000 }, () => ours.insert('events', row())));
}

/** Start with a large database, against the same host with an empty one. */
async function starting(directory: string): Promise<Row> {
  const full = join(directory, 'full');
  const empty = join(directory, 'empty');
  await mkdir(directory, { recursive: true });
  for (const workDirectory of [full, empty]) await prepareHost(workDirectory);
  const { ours, events } = await oursOn(join(full, '.host', 'database', 'host.db'));
  await events.sync();
  await fill(ours, conversations * 10);
  await ours.close();
  const untilAnswer = (workDirectory: string) => async (): Promise<number> => {
    let server: Server | undefined;
    try {
      return await milliseconds(async () => {
        server = await startHost(workDirectory);
        await firstAnswer(server.port, healthPath);
      });
    } finally {
      await server?.stop();
    }
  };
  const took = await interleave(startRounds, {
    ours: untilAnswer(full),
    bare: untilAnswer(empty),
  });
  return compare({
    name: 'start on 10 000 conversations',
    unit: 'ms',
    ours: took.ours,
    other: took.bare,
    against: 'bare',
    target: { most: 1.2 },
  });
}
