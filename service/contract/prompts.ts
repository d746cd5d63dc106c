import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';

/** Called as `/name` in a chat. */
const PromptName = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}_.:-]{1,100}$/u, 'field.promptName');

const PromptFields = z.strictObject({
  name: PromptName,
  /** `{{name}}` is a placeholder; the person is asked for its value. */
  text: z.string().trim().min(1).max(100_000),
  description: z.string().trim().max(500).optional(),
});

export const NewPrompt = PromptFields;
export type NewPrompt = z.output<typeof NewPrompt>;

export const Prompt = PromptFields.extend({ id: z.string() });
export type Prompt = z.output<typeof Prompt>;

/** The id is accepted so that a whole response can be sent back. */
export const PromptReplacement = PromptFields.extend({ id: z.string().optional() });

const ById = z.object({ id: z.string().max(100) });

const placeholder = /\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,99}?)\s*\}\}/gu;

/**
 * Returns the names of the placeholders of a prompt, without duplicates, in order of appearance.
 */
export const placeholdersOf = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(placeholder), ([, name = '']) => name)),
];

/** Replaces placeholders; one without a value becomes empty. */
export const filledPrompt = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(placeholder, (_, name: string) => values.get(name) ?? '');

export const prompts = {
  list: endpoint({
    method: 'GET',
    path: '/api/ai/prompts',
    access: token,
    summary: 'The prompt library, by name',
    reply: z.array(Prompt),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/ai/prompts',
    access: token,
    summary: 'Add a prompt; in a chat /name stands for its text',
    body: NewPrompt,
    reply: Prompt,
    status: 201,
    problems: ['prompt_exists', 'too_many_prompts'],
  }),
  replace: endpoint({
    method: 'PUT',
    path: '/api/ai/prompts/{id}',
    access: token,
    summary: 'Replace a prompt',
    params: ById,
    body: PromptReplacement,
    reply: Prompt,
    problems: ['unknown_prompt', 'prompt_exists'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/ai/prompts/{id}',
    access: token,
    summary: 'Remove a prompt',
    params: ById,
    problems: ['unknown_prompt'],
  }),
} as const;
