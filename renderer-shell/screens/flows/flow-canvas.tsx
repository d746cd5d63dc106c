import type { OnConnectEnd } from '@xyflow/react';
import { Background, ConnectionLineType, MiniMap, ReactFlow } from '@xyflow/react';
import type { DragEvent } from 'react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refusalOf } from '../../flows/connecting.ts';
import { titleOf } from '../../flows/node-kinds.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../store.ts';
import { CanvasTools } from './canvas-tools.tsx';
import { linesOf } from './canvas-parts.ts';
import { useFlow } from './flow-context.ts';
import { draggedType } from './node-palette.tsx';
import { NoteNode } from './note-node.tsx';
import { StepNode } from './step-node.tsx';
import { canvasKeys, isTyping, useUndoKeys } from './use-canvas-keys.ts';
import { useCanvasNodes } from './use-canvas-nodes.ts';
import { useFlowActions } from './use-flow-actions.ts';
import { useReactFlow } from '@xyflow/react';

const nodeTypes = { step: StepNode, sticky: NoteNode };
const lineOptions = { type: 'default', interactionWidth: 16 } as const;
/** More are seen at a glance on the small map only. */
const manyNodes = 12;

export function FlowCanvas() {
  const { t } = useTranslation();
  const flow = useFlow();
  const { editor, kinds, content, selection, steps, problems, select } = flow;
  const { graph } = content;
  const { theme } = useStore(useShell().settings);
  const place = useRef<HTMLDivElement>(null);
  const [refused, setRefused] = useState('');
  const actions = useFlowActions(flow);
  const { nodes, onNodesChange, onEdgesChange } = useCanvasNodes(flow);
  const { screenToFlowPosition } = useReactFlow();
  useUndoKeys(editor);
  const edges = useMemo(() => {
    const names = new Map(graph.nodes.map((node) => [node.id, titleOf(node, kinds)]));
    const nameOf = (id: string): string => names.get(id) ?? id;
    return linesOf({ content, kinds, selection, steps, problems }, ({ source, target }) =>
      t('flows.edge', { from: nameOf(source), to: nameOf(target) }),
    );
  }, [content, graph, kinds, selection, steps, problems, t]);
  const onConnectEnd: OnConnectEnd = (_, { fromHandle, toHandle, isValid }) => {
    if (isValid !== false || !fromHandle || !toHandle) return setRefused('');
    const [from, to] =
      fromHandle.type === 'source' ? [fromHandle, toHandle] : [toHandle, fromHandle];
    const wire = { source: from.nodeId, target: to.nodeId };
    const ends = { sourceHandle: from.id ?? null, targetHandle: to.id ?? null };
    const reason = refusalOf(graph, kinds, { ...wire, ...ends });
    setRefused(reason === null ? '' : t(`flows.refused.${reason}`));
  };
  const onDrop = (event: DragEvent) => {
    const type = event.dataTransfer.getData(draggedType);
    if (type === '') return;
    event.preventDefault();
    actions.addStep(type, screenToFlowPosition({ x: event.clientX - 40, y: event.clientY - 16 }));
  };
  const isDark = theme === 'dark';
  return (
    <div
      className="flow-canvas"
      ref={place}
      tabIndex={-1}
      role="region"
      aria-label={t('flows.canvas')}
      onKeyDown={canvasKeys(flow, actions)}
      onPointerDownCapture={({ target }) => {
        if (!isTyping(target)) place.current?.focus({ preventScroll: true });
      }}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(draggedType)) event.preventDefault();
      }}
      onDrop={onDrop}
    >
      <ReactFlow
        {...{ nodes, edges, nodeTypes, onNodesChange, onEdgesChange, onConnectEnd }}
        colorMode={isDark ? 'dark' : 'light'}
        {...(graph.viewport ? { defaultViewport: graph.viewport } : { fitView: true })}
        fitViewOptions={{ padding: 0.15, maxZoom: 1 }}
        minZoom={0.2}
        maxZoom={2}
        deleteKeyCode={null}
        defaultEdgeOptions={lineOptions}
        connectionLineType={ConnectionLineType.Bezier}
        connectionRadius={28}
        zoomOnDoubleClick={false}
        proOptions={{ hideAttribution: true }}
        ariaLabelConfig={{
          'node.a11yDescription.default': t('flows.nodeKeys'),
          'edge.a11yDescription.default': t('flows.edgeKeys'),
        }}
        isValidConnection={(wire) => refusalOf(graph, kinds, wire) === null}
        onConnect={(wire) => actions.connect(wire)}
        onConnectStart={() => setRefused('')}
        onPaneClick={() => select([])}
        onMoveEnd={(_, viewport) => editor.look(viewport)}
      >
        <Background gap={20} size={1} />
        {graph.nodes.length > manyNodes && <MiniMap pannable zoomable ariaLabel={t('flows.map')} />}
        <CanvasTools actions={actions} />
      </ReactFlow>
      <p className="flow-refused" role="status" hidden={refused === ''}>
        {refused}
      </p>
      {graph.nodes.length === 0 && (
        <div className="flow-empty">
          <p>{t('flows.emptyCanvas')}</p>
        </div>
      )}
    </div>
  );
}
