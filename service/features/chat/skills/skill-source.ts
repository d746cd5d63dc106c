import type { Contributions, PluginSkill } from '../../contributions/index.ts';
import { readPluginText } from '../../contributions/index.ts';
import type { Tool, ToolCall, ToolResult, ToolSource } from '../../tools/index.ts';

const maxFound = 20;

/**
 * The tools with which a model loads skills: `skill_load`, and `skill_search` if there are many.
 */
export function skillSource(contributions: Contributions): ToolSource {
  const load: Tool = {
    name: 'skill_load',
    description:
      'Reads the instructions of a skill by its name, and names the files that belong to it. With `file` it reads one of them.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, file: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    },
    effect: 'read',
    aliases: ['Skill'],
    run: async (call) => loadSkill(await contributions.skills(), call),
  };
  const search: Tool = {
    name: 'skill_search',
    description: 'Finds skills by words of their names and descriptions.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string' } },
      required: ['query'],
      additionalProperties: false,
    },
    effect: 'read',
    run: async (call) => searchSkills(await contributions.skills(), call),
  };
  return {
    possibleTools: [load, search],
    async list() {
      const count = (await contributions.skills()).length;
      if (count === 0) return [];
      return count > maxFound ? [load, search] : [load];
    },
  };
}

async function loadSkill(skills: readonly PluginSkill[], call: ToolCall): Promise<ToolResult> {
  const { name, file } = call.arguments as { name: string; file?: string };
  const skill = skills.find((one) => one.name === name);
  if (!skill) {
    const near = ranked(skills, name).slice(0, 5);
    const hint = near.length === 0 ? '' : ` Near to it: ${near.map((one) => one.name).join(', ')}.`;
    return { success: false, output: `There is no skill ${name.slice(0, 200)}.${hint}` };
  }
  if (file !== undefined && !skill.files.includes(file)) {
    return {
      success: false,
      output: `The skill has no file ${file}. Its files: ${skill.files.join(', ')}.`,
    };
  }
  const folder = skill.directory === '.' ? '' : `${skill.directory}/`;
  const path = file === undefined ? skill.path : folder + file;
  const text = await readPluginText(skill.root, path);
  if (text === null) return { success: false, output: 'That file cannot be read as text.' };
  return { success: true, output: JSON.stringify({ text, files: skill.files }) };
}

async function searchSkills(skills: readonly PluginSkill[], call: ToolCall): Promise<ToolResult> {
  const { query } = call.arguments as { query: string };
  const found = ranked(skills, query).slice(0, maxFound);
  const list = found.map(({ name, description }) => ({ name, description }));
  return { success: true, output: JSON.stringify({ skills: list }) };
}

/** Skills by the number of matching words, most first; skills without a match are left out. */
function ranked(skills: readonly PluginSkill[], query: string): PluginSkill[] {
  const queryTerms = termsOf(query);
  const scored = skills.map((skill) => {
    const text = `${skill.name} ${skill.description}`.toLowerCase();
    const inName = queryTerms.filter((word) => skill.name.toLowerCase().includes(word)).length;
    return { skill, score: inName + queryTerms.filter((word) => text.includes(word)).length };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.skill.name < b.skill.name ? -1 : 1))
    .map(({ skill }) => skill);
}

const termsOf = (text: string): string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 50);
