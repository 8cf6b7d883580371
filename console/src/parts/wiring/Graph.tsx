import { type Edge, Handle, MarkerType, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useMemo } from 'react';
import { StateBadge } from '../../ui/StateBadge.tsx';
import styles from './wiring.module.css';
import type { WiringData, WiringNode } from './wiring.ts';

type Box = Node<{ node: WiringNode }>;

const nodeTypes = { box: BoxNode };

/** The picture of connections: nodes on a circle. It is not operated; the table beside it is. */
export function Graph({ data }: { data: WiringData }) {
  const nodes = useMemo(() => boxesOf(data.nodes), [data.nodes]);
  const edges = useMemo(() => linesOf(data), [data]);
  return (
    <ReactFlow
      key={nodes.length}
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      fitView
      fitViewOptions={{ padding: 0.12, maxZoom: 1 }}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      panOnDrag={false}
      zoomOnScroll={false}
      zoomOnPinch={false}
      zoomOnDoubleClick={false}
      preventScrolling={false}
      disableKeyboardA11y
      proOptions={{ hideAttribution: true }}
    />
  );
}

function boxesOf(nodes: readonly WiringNode[]): Box[] {
  const radius = Math.max(130, nodes.length * 34);
  return nodes.map((node, index) => {
    const angle = (2 * Math.PI * index) / nodes.length - Math.PI / 2;
    // Boxes are wider than high.
    const position = { x: 1.6 * radius * Math.cos(angle), y: radius * Math.sin(angle) };
    return { id: node.id, type: 'box', position, data: { node }, origin: [0.5, 0.5] };
  });
}

function linesOf({ edges }: WiringData): Edge[] {
  const end = { type: MarkerType.ArrowClosed, color: 'var(--muted)' };
  return edges.map(({ from, to, isConnected, isOneWay }) => ({
    id: `${from} ${to}`,
    source: from,
    target: to,
    type: 'straight',
    className: (isConnected ? styles.connected : styles.open) ?? '',
    ...(isOneWay ? { markerEnd: end } : {}),
  }));
}

function BoxNode({ data: { node } }: NodeProps<Box>) {
  return (
    <div className={styles.box}>
      <strong>{node.name}</strong>
      {node.state && <StateBadge state={node.state} />}
      <Handle type="source" position={Position.Top} className={styles.handle} />
      <Handle type="target" position={Position.Top} className={styles.handle} />
    </div>
  );
}
