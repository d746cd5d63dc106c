import { createInterface } from 'node:readline';

/** Answers requests on stdin by their method. */
export function answerLines(answers) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line);
    if (id === undefined) return;
    const answer = answers[method];
    const outcome = answer
      ? { result: answer(params) }
      : { error: { code: -32601, message: `There is no method ${method}.` } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
  });
}
