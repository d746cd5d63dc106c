import type { PluginSkill } from '../../contributions/index.ts';

/** Share of the context window for the list of skills. */
const windowShare = 0.04;
const bytesPerToken = 4;
const leastBytes = 2_000;
const maxBytes = 24_000;
const shortDescription = 80;

/**
 * Lists the skills for the model within a budget: descriptions are shortened first, then entries
 * left out.
 */
export function skillList(skills: readonly PluginSkill[], windowTokens: number): string {
  if (skills.length === 0) return '';
  const share = windowTokens === 0 ? maxBytes : windowTokens * bytesPerToken * windowShare;
  const budget = Math.min(maxBytes, Math.max(leastBytes, share));
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
