/** Minimal Express server with an open database: `node database-server.mjs <file>`. */
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Sequelize } from 'sequelize';
import sqlite3 from 'sqlite3';

const sequelize = new Sequelize({
  dialect: 'sqlite',
  dialectModule: sqlite3,
  storage: process.argv[2] ?? '',
  logging: false,
});
await sequelize.query('SELECT 1');

const app = express();
app.get('/api/health', (_req, res) => {
  res.json({ status: 'ok' });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`PORT=${(server.address() as AddressInfo).port}\n`);
});
