/**
 * Replaces the program with an unpacked update, and reverts if the new version does not start. Runs
 * on its own copy of Node outside both folders, after the host has ended.
 */
import { readFile, rm } from 'node:fs/promises';
import type { SwapPlan } from '../service/platform/desktop.ts';
import { swapUpdate } from './swap.ts';

const [planFile = ''] = process.argv.slice(2);
const plan = JSON.parse(await readFile(planFile, 'utf8')) as SwapPlan;
const why = await swapUpdate(plan);
await rm(planFile, { force: true });
if (why !== null) {
  // This program has no catalog of texts; the next start of the host shows the message in the
  // person's language.
  process.stderr.write(`${JSON.stringify(why)}\n`);
  process.exitCode = 1;
}
