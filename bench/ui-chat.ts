import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Client } from '../service/client/index.ts';
import { api, type ChatMessage } from '../service/contract/index.ts';
import type { ModelServer } from '../service/testing/model-server.ts';
import { framesDuring, heapOf, percentile } from './harness/pages.ts';
import { measured, type Row } from './harness/table.ts';

const messageCount = 10_000;
const answerLines = 3_000;
/** Each ends within a second or two and has few frames. */
const answersStreamed = 4;
const pagesRead = 15;
const mostFrameMs = 50;
const mostGrowthMiB = 10;
const wholeMinutes = 30;
/** Typical speed of a model. */
const tokensPerSecond = 50;
/**
 * Warm-up until the page holds its maximum of answers, the code is compiled and its caches are
 * full.
 */
const answersBefore = 12;
const answersMeasured = 24;
const MiB = 1024 ** 2;
const limitMs = 60_000;

/** A long conversation: opened, scrolled back, and answered at length. */
export async function longConversation(
  page: Page,
  client: Client,
  model: ModelServer,
  shell: string,
): Promise<Row[]> {
  const body = { title: 'Long', messages: messagesOf(messageCount) };
  const { id } = await client.call(api.conversations.create, { body });
  await page.goto(`${shell}#/chat/${id}`);
  const list = page.getByRole('log');
  await list.getByText(`Question ${messageCount - 2}`).waitFor();
  await list.hover();
  const read = await framesDuring(page, async () => {
    for (let at = 0; at < pagesRead; at += 1) {
      await wheel(page, -900, 8);
      await page.getByRole('button', { name: /^Show .* earlier messages$/ }).click();
    }
    await wheel(page, 900, 40);
  });
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  model.script(() => ({ text: linesOf(answerLines) }));
  const streamed: number[] = [];
  for (let at = 0; at < answersStreamed; at += 1)
    streamed.push(...(await framesDuring(page, () => answered(page, model))));
  return [row('10 000 messages read, p95', read), row('answer of 3 000 lines, p95', streamed)];
}

const row = (name: string, frames: readonly number[]): Row => {
  const p95 = percentile(frames, 0.95);
  return measured(name, `${p95.toFixed(0)} ms`, `≤ ${mostFrameMs} ms`, p95 <= mostFrameMs);
};

async function wheel(page: Page, deltaY: number, times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    await page.mouse.wheel(0, deltaY);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

/** Sends a message and waits for the end of the answer. */
async function answered(page: Page, model: ModelServer): Promise<void> {
  const asked = model.requests.length;
  await page.getByRole('textbox', { name: 'Message' }).fill('Go on');
  await page.keyboard.press('Enter');
  // An answer may end before it can be observed; from here on the page shows it while it is
  // running.
  for (const end = performance.now() + limitMs; model.requests.length === asked;) {
    if (performance.now() > end) throw new Error('The model was not asked.');
    await wait(5);
  }
  // Found by its class: a search by text would read the whole page in each frame.
  await page.locator('.writing').waitFor({ state: 'detached' });
}

/**
 * Heap growth per answer. Tokens are sent as fast as possible; the growth of half an hour at
 * typical speed is computed from the slope. With UI_BENCH_MINUTES it streams for that time instead.
 */
export async function heapWhileStreaming(page: Page, model: ModelServer): Promise<Row> {
  const pieces = linesOf(600);
  model.script(() => ({ text: pieces }));
  const minutes = Number(process.env['UI_BENCH_MINUTES'] ?? 0);
  await page.getByRole('button', { name: 'New conversation' }).first().click();
  for (let at = 0; at < answersBefore; at += 1) await answered(page, model);
  const end = performance.now() + minutes * 60_000;
  const samples = [await heapOf(page)];
  while (samples.length <= answersMeasured || performance.now() < end) {
    await answered(page, model);
    samples.push(await heapOf(page));
  }
  const perAnswer = slopeOf(samples);
  // The visible text stays in memory and is counted too.
  const answers = (wholeMinutes * 60 * tokensPerSecond) / pieces.length;
  const grown = (perAnswer * answers) / MiB;
  const name = minutes > 0 ? `heap of ${minutes} min streaming` : 'heap of 30 min streaming';
  const target = `≤ ${mostGrowthMiB} MiB`;
  const growthMiB = minutes > 0 ? ((samples.at(-1) ?? 0) - (samples[0] ?? 0)) / MiB : grown;
  return measured(name, `${growthMiB.toFixed(1)} MiB`, target, growthMiB <= mostGrowthMiB);
}

/** Slope of the regression line through all samples. */
function slopeOf(samples: readonly number[]): number {
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  const over = samples.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  return over / samples.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
}

/** Headings, words, lists, tables and code, one piece per line. */
function linesOf(count: number): string[] {
  const kinds = [
    (n: number) => `## Part ${n}\n\n`,
    (n: number) =>
      `Some **words** about \`value${n}\` and what [follows](https://example.com/${n}).\n\n`,
    (n: number) => `- first of ${n}\n- second of ${n}\n\n`,
    (n: number) => '```ts\nconst value = ' + `${n};\nreturn value + 1;\n` + '```\n\n',
    (n: number) => `| a | b |\n|---|---|\n| ${n} | ${n + 1} |\n\n`,
  ];
  const lines: string[] = [];
  for (let n = 0; lines.length < count; n += 1)
    lines.push(...(kinds[n % kinds.length]?.(n) ?? '').split(/(?<=\n)/));
  return lines.slice(0, count);
}

function messagesOf(count: number): ChatMessage[] {
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { role: 'user', content: `Question ${index}: what do the figures say?` }
      : { role: 'assistant', content: linesOf(12).join('') },
  );
}
