import type { PluginSkill } from '../../contributions/index.ts';

/** Of the context window, for the names and descriptions of skills. */
const windowShare = 0.04;
const bytesPerToken = 4;
const leastBytes = 2_000;
const mostBytes = 24_000;
const shortDescription = 80;

/** What the model is told of the skills, within a budget: descriptions are cut first, then names go. */
export function skillList(skills: readonly PluginSkill[], windowTokens: number): string {
  if (skills.length === 0) return '';
  const share = windowTokens === 0 ? mostBytes : windowTokens * bytesPerToken * windowShare;
  const budget = Math.min(mostBytes, Math.max(leastBytes, share));
  const head =
    'Skills (instructions for special work; read one with skill_load before you use it):';
  for (const length of [400, shortDescription, 0]) {
    const lines = skills.map((skill) => lineOf(skill, length));
    const text = [head, ...lines].join('\n');
    if (Buffer.byteLength(text) <= budget) return text;
  }
  return [head, ...withinBudget(skills, budget - Buffer.byteLength(head) - 100)].join('\n');
}

function lineOf({ name, description }: PluginSkill, length: number): string {
  if (length === 0 || description === '') return `- ${name}`;
  const collapsed = description.replace(/\s+/g, ' ');
  return `- ${name}: ${collapsed.length > length ? `${collapsed.slice(0, length)}…` : collapsed}`;
}

function withinBudget(skills: readonly PluginSkill[], budget: number): string[] {
  const lines: string[] = [];
  let remainingBytes = budget;
  for (const skill of skills) {
    const line = lineOf(skill, 0);
    remainingBytes -= Buffer.byteLength(line) + 1;
    if (remainingBytes < 0) break;
    lines.push(line);
  }
  const more = skills.length - lines.length;
  return more === 0 ? lines : [...lines, `- and ${more} more: find them with skill_search`];
}
