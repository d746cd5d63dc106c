import { MultiSelect } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { refusalOf } from '../../state/workflows/connecting.ts';
import type { GraphNode } from '../../state/workflows/graph.ts';
import { isNote } from '../../state/workflows/graph.ts';
import { withEdge, without } from '../../state/workflows/graph-edits.ts';
import { titleOf } from '../../state/workflows/node-kinds.ts';
import { useWorkflow } from './workflow-context.ts';

/** Edits the dependencies of a step, as an alternative to drawing edges. */
export function StepOrder({ node }: { node: GraphNode }) {
  const { t } = useTranslation();
  const { editor, content, kinds } = useWorkflow();
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
      const removed = now.edges.filter(
        ({ source, target }) => target === id && !chosen.includes(source),
      );
      const fresh = chosen.filter((source) => !sources.has(source));
      const remaining = without(now, new Set(removed.map((edge) => edge.id)));
      return fresh.reduce((next, source) => withEdge(next, { source, target: id }), remaining);
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
