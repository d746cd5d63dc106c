/**
 * A process that repeats one GET: a message starts a measurement, the reply is requests per second.
 */
import { Wire } from '../harness/wire.ts';

/** Parameters of one measurement. */
export interface GetLoad {
  port: number;
  request: string;
  connections: number;
  forMs: number;
}

process.on('message', (load: GetLoad) => void run(load).then((rate) => process.send?.(rate)));

async function run({ port, request, connections, forMs }: GetLoad): Promise<number> {
  const bytes = Buffer.from(request);
  const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(port)));
  const started = performance.now();
  const end = started + forMs;
  const counts = await Promise.all(wires.map((wire) => askUntil(wire, bytes, end)));
  const seconds = (performance.now() - started) / 1_000;
  for (const wire of wires) wire.close();
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

function askUntil(wire: Wire, bytes: Buffer, end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    const next = (): void =>
      wire.send(bytes, (error) => {
        count += 1;
        if (error) reject(error);
        else if (performance.now() < end) next();
        else resolve(count);
      });
    next();
  });
}
