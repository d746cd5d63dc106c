import type { Edge, OnConnectEnd, ReactFlowProps } from '@xyflow/react';
import { Background, MiniMap, ReactFlow, useReactFlow } from '@xyflow/react';
import type { DragEvent, ReactNode } from 'react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refusalOf } from '../../state/flows/connecting.ts';
import { titleOf } from '../../state/flows/node-kinds.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { CanvasTools } from './canvas-tools.tsx';
import type { Box } from './canvas-parts.ts';
import { fitting, linesOf, zooms } from './canvas-parts.ts';
import type { Flow } from './flow-context.ts';
import { useFlow } from './flow-context.ts';
import { draggedType } from './node-palette.tsx';
import { NoteNode } from './note-node.tsx';
import { StepNode } from './step-node.tsx';
import { isTyping } from '../../core/is-typing.ts';
import { canvasKeys, useUndoKeys } from './use-canvas-keys.ts';
import { useCanvasNodes } from './use-canvas-nodes.ts';
import { useReveal } from './use-reveal.ts';
import type { FlowActions } from './use-flow-actions.ts';
import { useFlowActions } from './use-flow-actions.ts';

const nodeTypes = { step: StepNode, sticky: NoteNode };
const lineOptions = { type: 'default', interactionWidth: 16 } as const;
/** More are seen at a glance on the small map only. */
const manyNodes = 12;

/** The connections as they are drawn. */
function useLines(flow: Flow): Edge[] {
  const { t } = useTranslation();
  const { kinds, content, selection, steps, problems } = flow;
  return useMemo(() => {
    const { nodes } = content.graph;
    const names = new Map(nodes.map((node) => [node.id, titleOf(node, kinds)]));
    const nameOf = (id: string): string => names.get(id) ?? id;
    return linesOf({ content, kinds, selection, steps, problems }, ({ source, target }) =>
      t('flows.edge', { from: nameOf(source), to: nameOf(target) }),
    );
  }, [content, kinds, selection, steps, problems, t]);
}

interface Connecting {
  /** Why the last connection was not drawn; empty when it was. */
  refused: string;
  props: Pick<
    ReactFlowProps<Box>,
    'onConnect' | 'onConnectStart' | 'onConnectEnd' | 'isValidConnection'
  >;
}

function useConnecting(flow: Flow, actions: FlowActions): Connecting {
  const { t } = useTranslation();
  const { content, kinds, panel } = flow;
  const { graph } = content;
  const [told, setTold] = useState({ text: '', graph, panel });
  const setRefused = (text: string) => setTold({ text, graph, panel });
  const onConnectEnd: OnConnectEnd = (_, { fromHandle, toHandle, isValid }) => {
    if (isValid !== false || !fromHandle || !toHandle) return setRefused('');
    const isForward = fromHandle.type === 'source';
    const [from, to] = isForward ? [fromHandle, toHandle] : [toHandle, fromHandle];
    const ends = { sourceHandle: from.id ?? null, targetHandle: to.id ?? null };
    const reason = refusalOf(graph, kinds, { source: from.nodeId, target: to.nodeId, ...ends });
    setRefused(reason === null ? '' : t(`flows.refused.${reason}`));
  };
  const isStill = told.graph === graph && told.panel === panel;
  return {
    refused: isStill ? told.text : '',
    props: {
      onConnect: (wire) => actions.connect(wire),
      onConnectStart: () => setRefused(''),
      onConnectEnd,
      isValidConnection: (wire) => refusalOf(graph, kinds, wire) === null,
    },
  };
}

export function FlowCanvas() {
  const { t } = useTranslation();
  const flow = useFlow();
  const { editor, select, open, content } = flow;
  const { graph } = content;
  const { theme } = useStore(useShell().settings);
  const actions = useFlowActions(flow);
  const { refused, props: connecting } = useConnecting(flow, actions);
  useUndoKeys(editor);
  useReveal(flow);
  return (
    <CanvasPlace flow={flow} actions={actions}>
      <ReactFlow
        {...useCanvasNodes(flow)}
        {...connecting}
        edges={useLines(flow)}
        nodeTypes={nodeTypes}
        colorMode={theme === 'dark' ? 'dark' : 'light'}
        fitView
        fitViewOptions={fitting}
        minZoom={zooms.min}
        maxZoom={zooms.max}
        deleteKeyCode={null}
        defaultEdgeOptions={lineOptions}
        connectionRadius={28}
        zoomOnDoubleClick={false}
        proOptions={{ hideAttribution: true }}
        ariaLabelConfig={{
          'node.a11yDescription.default': t('flows.nodeKeys'),
          'edge.a11yDescription.default': t('flows.edgeKeys'),
        }}
        onPaneClick={() => select([])}
        onNodeDoubleClick={() => open('step')}
      >
        <Background gap={20} size={1} />
        {graph.nodes.length > manyNodes && <MiniMap pannable zoomable ariaLabel={t('flows.map')} />}
        <CanvasTools actions={actions} />
      </ReactFlow>
      <p className="flow-refused" role="status" hidden={refused === ''}>
        {refused}
      </p>
      {graph.nodes.length === 0 && <p className="flow-empty">{t('flows.emptyCanvas')}</p>}
    </CanvasPlace>
  );
}

interface CanvasPlaceProps {
  flow: Flow;
  actions: FlowActions;
  children: ReactNode;
}

/** Has the keys of the canvas, and takes what is dragged from the palette. */
function CanvasPlace({ flow, actions, children }: CanvasPlaceProps) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const { screenToFlowPosition } = useReactFlow();
  const onDrop = (event: DragEvent) => {
    const type = event.dataTransfer.getData(draggedType);
    if (type === '') return;
    event.preventDefault();
    actions.addStep(type, screenToFlowPosition({ x: event.clientX - 40, y: event.clientY - 16 }));
  };
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
      {children}
    </div>
  );
}
