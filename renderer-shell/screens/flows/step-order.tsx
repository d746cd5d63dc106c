import { MultiSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { refusalOf } from '../../state/flows/connecting.ts';
import type { GraphNode } from '../../state/flows/graph.ts';
import { isNote } from '../../state/flows/graph.ts';
import { withEdge, without } from '../../state/flows/graph-edits.ts';
import { titleOf } from '../../state/flows/node-kinds.ts';
import { useFlow } from './flow-context.ts';

/** What has to be done before a step: the edges that lead to it, for who does not draw them. */
export function StepOrder({ node }: { node: GraphNode }) {
  const { t } = useTranslation();
  const { editor, content, kinds } = useFlow();
  const { graph } = content;
  const { id } = node;
  const sources = new Set(
    graph.edges.flatMap(({ source, target }) => (target === id ? source : [])),
  );
  const choices = graph.nodes.filter(
    (one) =>
      !isNote(one) &&
      (sources.has(one.id) || refusalOf(graph, kinds, { source: one.id, target: id }) === null),
  );
  const change = (chosen: readonly string[]) =>
    editor.changeGraph((now) => {
      const gone = now.edges.filter(
        ({ source, target }) => target === id && !chosen.includes(source),
      );
      const fresh = chosen.filter((source) => !sources.has(source));
      const left = without(now, new Set(gone.map((edge) => edge.id)));
      return fresh.reduce((next, source) => withEdge(next, { source, target: id }), left);
    });
  return (
    <MultiSelect
      size="xs"
      label={t('flows.after')}
      description={t('flows.afterText')}
      placeholder={sources.size === 0 ? t('flows.afterNone') : ''}
      data={choices.map((one) => ({ value: one.id, label: titleOf(one, kinds) }))}
      value={[...sources]}
      onChange={change}
    />
  );
}
