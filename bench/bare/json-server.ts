/**
 * One Express route that sends one JSON document: `node json-server.ts <path> <json, or @file>`.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';

const [, , path = '/', text = '{}'] = process.argv;
const value: unknown = JSON.parse(
  text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text,
);
const app = express();
app.get(path, (_req, res) => {
  res.json(value);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`PORT=${(server.address() as AddressInfo).port}\n`);
});
