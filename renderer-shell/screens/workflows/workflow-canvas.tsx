import type { Edge, OnConnectEnd, ReactFlowProps } from '@xyflow/react';
import { Background, MiniMap, ReactFlow, useReactFlow } from '@xyflow/react';
import type { DragEvent, ReactNode } from 'react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { refusalOf } from '../../state/workflows/connecting.ts';
import type { Graph } from '../../state/workflows/graph.ts';
import type { Wire } from '../../state/workflows/graph-edits.ts';
import { titleOf } from '../../state/workflows/node-kinds.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { ConversionButtons } from './conversion-buttons.tsx';
import { CanvasTools } from './canvas-tools.tsx';
import type { CanvasNode } from './canvas-nodes.ts';
import { fitting, linesOf, zooms } from './canvas-nodes.ts';
import type { OpenWorkflow } from './workflow-context.ts';
import { useWorkflow } from './workflow-context.ts';
import { draggedType } from './node-palette.tsx';
import { NoteNode } from './note-node.tsx';
import { StepNode } from './step-node.tsx';
import { isTyping } from '../../core/is-typing.ts';
import { canvasKeys, useUndoKeys } from './use-canvas-keys.ts';
import { useCanvasNodes } from './use-canvas-nodes.ts';
import { useReveal } from './use-reveal.ts';
import type { WorkflowActions } from './use-workflow-actions.ts';
import { useWorkflowActions } from './use-workflow-actions.ts';

const nodeTypes = { step: StepNode, sticky: NoteNode };
const lineOptions = { type: 'default', interactionWidth: 16 } as const;
/** Above this number of nodes, the minimap is shown. */
const manyNodes = 12;

/** Returns the edges to draw. */
function useLines(workflow: OpenWorkflow): Edge[] {
  const { t } = useTranslation();
  const { kinds, content, selection, steps, problems } = workflow;
  return useMemo(() => {
    const { nodes } = content.graph;
    const names = new Map(nodes.map((node) => [node.id, titleOf(node, kinds)]));
    const nameOf = (id: string): string => names.get(id) ?? id;
    return linesOf({ content, kinds, selection, steps, problems }, ({ source, target }) =>
      t('flows.edge', { from: nameOf(source), to: nameOf(target) }),
    );
  }, [content, kinds, selection, steps, problems, t]);
}

interface Refused {
  text: string;
  wire: Wire | null;
  graph: Graph;
  panel: OpenWorkflow['panel'];
}

interface Connecting {
  /** Why the last connection was refused; empty if it was made. */
  refused: string;
  /** The last connection, if only the type of its value did not fit. */
  convertible: Wire | null;
  props: Pick<
    ReactFlowProps<CanvasNode>,
    'onConnect' | 'onConnectStart' | 'onConnectEnd' | 'isValidConnection'
  >;
}

function useConnecting(workflow: OpenWorkflow, actions: WorkflowActions): Connecting {
  const { t } = useTranslation();
  const { content, kinds, panel } = workflow;
  const { graph } = content;
  const [refusal, setRefusal] = useState<Refused>({ text: '', wire: null, graph, panel });
  const setRefused = (text: string, wire: Wire | null = null) =>
    setRefusal({ text, wire, graph, panel });
  const onConnectEnd: OnConnectEnd = (_, { fromHandle, toHandle, isValid }) => {
    if (isValid !== false || !fromHandle || !toHandle) return setRefused('');
    const isForward = fromHandle.type === 'source';
    const [from, to] = isForward ? [fromHandle, toHandle] : [toHandle, fromHandle];
    const ends = { sourceHandle: from.id ?? null, targetHandle: to.id ?? null };
    const wire = { source: from.nodeId, target: to.nodeId, ...ends };
    const reason = refusalOf(graph, kinds, wire);
    if (reason === null) return setRefused('');
    setRefused(t(`flows.refused.${reason}`), reason === 'types' ? wire : null);
  };
  const isCurrent = refusal.graph === graph && refusal.panel === panel;
  return {
    refused: isCurrent ? refusal.text : '',
    convertible: isCurrent ? refusal.wire : null,
    props: {
      onConnect: (wire) => actions.connect(wire),
      onConnectStart: () => setRefused(''),
      onConnectEnd,
      isValidConnection: (wire) => refusalOf(graph, kinds, wire) === null,
    },
  };
}

export function WorkflowCanvas() {
  const { t } = useTranslation();
  const workflow = useWorkflow();
  const { editor, select, open, content } = workflow;
  const { graph } = content;
  const { theme } = useStore(useShell().settings);
  const actions = useWorkflowActions(workflow);
  const { refused, convertible, props: connecting } = useConnecting(workflow, actions);
  useUndoKeys(editor);
  useReveal(workflow);
  return (
    <CanvasArea workflow={workflow} actions={actions}>
      <ReactFlow
        {...useCanvasNodes(workflow)}
        {...connecting}
        edges={useLines(workflow)}
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
      <div className="flow-refused" role="status" hidden={refused === ''}>
        {refused}
        {convertible && <ConversionButtons wire={convertible} />}
      </div>
      {graph.nodes.length === 0 && <p className="flow-empty">{t('flows.emptyCanvas')}</p>}
    </CanvasArea>
  );
}

interface CanvasAreaProps {
  workflow: OpenWorkflow;
  actions: WorkflowActions;
  children: ReactNode;
}

/** Handles the keys of the canvas and drops from the palette. */
function CanvasArea({ workflow, actions, children }: CanvasAreaProps) {
  const { t } = useTranslation();
  const area = useRef<HTMLDivElement>(null);
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
      ref={area}
      tabIndex={-1}
      role="region"
      aria-label={t('flows.canvas')}
      onKeyDown={canvasKeys(workflow, actions)}
      onPointerDownCapture={({ target }) => {
        if (!isTyping(target)) area.current?.focus({ preventScroll: true });
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
