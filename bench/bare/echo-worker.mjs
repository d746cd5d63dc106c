// Minimal worker: answers all lines of a chunk in one write.
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  rest += chunk;
  if (!chunk.includes('\n')) return;
  const lines = rest.split('\n');
  rest = lines.pop();
  let answers = '';
  for (const line of lines) {
    const { id, params } = JSON.parse(line);
    if (id !== undefined) answers += `${JSON.stringify({ jsonrpc: '2.0', id, result: params })}\n`;
  }
  process.stdout.write(answers);
});
