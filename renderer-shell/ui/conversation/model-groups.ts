import type { Client } from '../../../service/client/index.ts';
import type { AiConfig, ModelChoice, Provider } from '../../../service/contract/index.ts';
import { AiMode, api } from '../../../service/contract/index.ts';

/** The models of one mode or provider. */
export interface ModelGroup {
  /** Null for the mode in `choice`. */
  name: string | null;
  /** Without a model. */
  choice: Omit<ModelChoice, 'name'>;
  models: readonly string[];
}

const maxModels = 200;

/** Returns the models that are known without a request to a server. */
export const configuredGroups = (
  config: AiConfig,
  providers: readonly Provider[],
): ModelGroup[] => [
  ...AiMode.options
    .filter((mode) => config[mode].model !== '')
    .map((mode) => ({ name: null, choice: { mode }, models: [config[mode].model] })),
  ...providers.map(({ id, name, models = [] }) => ({ name, choice: { provider: id }, models })),
];

/**
 * Returns the models that the server of the active mode and the servers of providers without a list
 * offer now.
 */
export async function listedModels(
  client: Client,
  providers: readonly Provider[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const open = providers.filter(({ models = [] }) => models.length === 0);
  const asked = [
    client.call(api.aiConfig.models).then(({ mode, models }) => [mode, models] as const),
    ...open.map(async ({ id }) => {
      const { models } = await client.call(api.providers.models, { params: { id } });
      return [id, models] as const;
    }),
  ];
  const answers = await Promise.allSettled(asked);
  return new Map(answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
}

export const groupKey = ({ choice }: ModelGroup): string => choice.mode ?? choice.provider ?? '';

/** Returns the groups with the models of their servers, reduced to matches of a search. */
export const matchingGroups = (
  groups: readonly ModelGroup[],
  listed: ReadonlyMap<string, readonly string[]>,
  query: string,
): ModelGroup[] =>
  groups
    .map((group) => ({
      ...group,
      models: [...new Set([...group.models, ...(listed.get(groupKey(group)) ?? [])])]
        .filter((model) => matches(`${group.name ?? ''} ${model}`, query))
        .slice(0, maxModels),
    }))
    .filter(({ models }) => models.length > 0);

const matches = (text: string, query: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
