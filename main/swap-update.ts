/**
 * Puts an unpacked update in the place of the program, and takes it back where the new one does not
 * start. Runs on a Node of its own, from outside both folders, after the host has ended.
 */
import { readFile, rm } from 'node:fs/promises';
import type { SwapPlan } from '../service/platform/desktop.ts';
import { swapUpdate } from './swap.ts';

const [planFile = ''] = process.argv.slice(2);
const plan = JSON.parse(await readFile(planFile, 'utf8')) as SwapPlan;
const why = await swapUpdate(plan);
await rm(planFile, { force: true });
if (why !== null) {
  // It carries no catalog; the next start of the host says it in the person's language.
  process.stderr.write(`${JSON.stringify(why)}\n`);
  process.exitCode = 1;
}
