/** The thread behind `SchemaThread`: one job at a time, and it may be ended at any moment. */
import { parentPort } from 'node:worker_threads';
import { compileSchema, isSchema, type Schema, type SchemaCheck } from './schema-compiler.ts';
import type { SchemaAnswer, SchemaJob } from './schema-thread.ts';

const keptChecks = 200;
const checks = new Map<number, SchemaCheck>();

parentPort?.on('message', (job: SchemaJob) => parentPort?.postMessage(answerTo(job)));
parentPort?.postMessage({ ready: true } satisfies SchemaAnswer);

function answerTo(job: SchemaJob): SchemaAnswer {
  if ('schemas' in job) return { bad: job.schemas.map((schema) => !isSchema(schema)) };
  const check = checks.get(job.key) ?? compiled(job);
  return check === null ? { unusable: true } : { errors: check(job.value) };
}

function compiled({ key, schema }: { key: number; schema: Schema }): SchemaCheck | null {
  let check: SchemaCheck;
  try {
    check = compileSchema(schema);
  } catch {
    return null;
  }
  if (checks.size >= keptChecks) checks.clear();
  checks.set(key, check);
  return check;
}
