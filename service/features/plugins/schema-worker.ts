/** The thread behind `SchemaThread`: one job at a time, and it may be ended at any moment. */
import { parentPort } from 'node:worker_threads';
import { compileSchema, isSchema, type SchemaCheck } from './schema-compiler.ts';
import type { SchemaAnswer, SchemaJob } from './schema-thread.ts';

const keptChecks = 200;
const checks = new Map<number, SchemaCheck>();

parentPort?.on('message', (job: SchemaJob) => parentPort?.postMessage(answerTo(job)));
parentPort?.postMessage({ ready: true } satisfies SchemaAnswer);

function answerTo(job: SchemaJob): SchemaAnswer {
  if ('schemas' in job) return { bad: job.schemas.map((schema) => !isSchema(schema)) };
  let check = checks.get(job.key);
  if (check === undefined) {
    if (!isSchema(job.schema)) return { unusable: true };
    check = compileSchema(job.schema);
    if (checks.size >= keptChecks) checks.clear();
    checks.set(job.key, check);
  }
  return { errors: check(job.value) };
}
