// Runs graphs of no-op steps on LangGraph with its SQLite checkpointer. Each line of stdin is
// `{"shape", "file"}`; a finished graph prints `{"rows"}`.
import { createInterface } from 'node:readline';
import { Annotation, END, Send, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';

const steps = 1_000;

const State = Annotation.Root({
  done: Annotation({ reducer: (before, more) => before + more, default: () => 0 }),
});
const step = () => ({ done: 1 });

const graphs = {
  chain() {
    const graph = new StateGraph(State);
    for (let index = 0; index < steps; index += 1) {
      graph.addNode(`step-${index}`, step);
      graph.addEdge(index === 0 ? START : `step-${index - 1}`, `step-${index}`);
    }
    return graph.addEdge(`step-${steps - 1}`, END);
  },
  /**
   * The approach that its manual recommends for many parallel steps; faster than a node for each.
   */
  'fan-out'() {
    const all = () => Array.from({ length: steps }, (_, index) => new Send('step', { index }));
    return new StateGraph(State)
      .addNode('step', step)
      .addConditionalEdges(START, all)
      .addEdge('step', END);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { shape, file } = JSON.parse(line);
  const checkpointer = SqliteSaver.fromConnString(file);
  // As durable as the host: commits reach the disk.
  checkpointer.setup();
  checkpointer.db.pragma('synchronous = FULL');
  const graph = graphs[shape]().compile({ checkpointer });
  const { done } = await graph.invoke(
    {},
    {
      configurable: { thread_id: 'bench' },
      // Each checkpoint is stored before the next step starts.
      durability: 'sync',
      recursionLimit: steps + 10,
    },
  );
  if (done !== steps) throw new Error(`${done} of ${steps} steps were done.`);
  checkpointer.db.close();
  process.stdout.write(`${JSON.stringify({ done })}\n`);
}
