import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const filled = '\u0001';

/** Files that speak to somebody else than a person in front of the host. */
const toOthers = [
  // Descriptions of the API, and what programs read of it.
  'service/contract/(?:openapi|endpoint|manifest-fields|market|page-policies)',
  'service/client/',
  // Empty pages.
  'service/app/answer-frames',
  // Lines of the log, and reasons in them.
  'service/app/(?:request-log|cluster-metrics)',
  'service/features/call-gate/decision-line',
  'service/features/diagnostics/(?:otlp-errors|metrics)',
  'service/features/plugins/packages/(?:package-layout|package-manifest)',
  'service/platform/(?:log|job-thread)',
  // Models: tools, prompts, and what they are told of a call.
  'service/core/shorten',
  'service/features/tools/(?:browser/browser-tools|computer/computer-tools|command/(?:head|execute|protected/guard)|web/(?:plain-page|readable|search-prov|web-fetch)|argument-problem|tool-names)',
  'service/features/workflows/(?:tools/|templates/)',
  'service/features/agent/(?:planning/(?:planner-prompt|draft-plan)|answer/answer-prompt)',
  'service/features/model-tools/ask-model',
  'service/features/chat/(?:system-prompt|skills|turn/(?:compact|title-writer|model-messages|tool-round)|attachments/|resources/resource-parts)',
  'service/features/mcp/(?:tools/|prompts/)',
  'service/features/models/',
  'service/features/schedules/schedule-tool',
  'service/features/permissions/hooks/(?:hook-payload|hook-runner)',
  'service/platform/browser/(?:read-page|chromium/thread-profile)',
  // Clients of our MCP server, and servers that ask a model through the host.
  'service/features/(?:mcp-server/|mcp/sampling/)',
  // Documents that the host writes, which are English.
  'service/features/(?:backups/|chat/conversations/(?:export|message-text))',
  // Words of programs: shells, databases, browsers, the kernel.
  'service/features/permissions/(?:shell/|verdict/(?:floor|suggest))',
  'service/features/contributions/hooks/hook-events',
  'service/features/(?:workflows/workflow-store|agent/runs/run-store|chat/conversations/conversation-store|plugins/databases/plugin-sql)',
  'service/platform/(?:database|cluster)/',
  'service/features/agent/cluster/run-claims',
  'service/platform/(?:browser/(?:accessibility|page-scripts|dom-accessors|find-browser)|process-(?:watchdog|marker)|isolation/(?:sandbox-(?:profile|trial)|launcher)|computer/x11/)',
  // Labels that the page has in its catalogs under the type of the node.
  'service/features/workflows/nodes/built-in-nodes',
  // The terminal, whose language is English.
  'main/(?:flags|doctor|announce|launch|properties|fresh-address|electron-as-node|instance-lock|index|mcp|tell)',
];
const others = new RegExp(`^(?:${toOthers.join('|')})`);

/** Properties that hold what a model, a form or the description of the API says. */
const otherProperties =
  /^(?:description|summary|title|label|instructions|placeholder|script|args|answers)$/;
const otherCalls =
  /(?:^|[.#])(?:describe|say|post|prepare|query|select|exec|addLog|reportError|trouble)$|\blog\b/i;

export interface HostSentence {
  file: string;
  /** With `{1}`, `{2}` … for what is put into it. */
  text: string;
}

function foldedText(node: ts.Expression): string | null {
  if (ts.isParenthesizedExpression(node)) return foldedText(node.expression);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => filled + span.literal.text).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
    return null;
  const [left, right] = [foldedText(node.left), foldedText(node.right)];
  return left === null && right === null ? null : (left ?? filled) + (right ?? filled);
}

/** The parts of a folded text that are texts of their own. */
function partsOf(node: ts.Expression): ts.Node[] {
  if (ts.isParenthesizedExpression(node)) return partsOf(node.expression);
  if (ts.isTemplateExpression(node)) return node.templateSpans.map((span) => span.expression);
  if (ts.isBinaryExpression(node) && foldedText(node) !== null)
    return [...partsOf(node.left), ...partsOf(node.right)];
  return foldedText(node) === null ? [node] : [];
}

/** As the words name it: what is put in side by side is one. */
function templateOf(folded: string): string {
  let count = 0;
  return folded.trim().replaceAll(/\u0001(?:\s*\u0001)*/g, () => `{${++count}}`);
}

/** What has many lines is a program for something else. */
const isSentence = (text: string): boolean =>
  /[A-Za-z]{2,} +[A-Za-z{“]/.test(text) && text.split('\n').length < 4;

/** A list that is written as one text. */
const isWordList = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'split' &&
  ts.isStringLiteralLike(node.expression.expression);

const isSkipped = (node: ts.Node): boolean =>
  isWordList(node) ||
  (ts.isPropertyAssignment(node) && otherProperties.test(node.name.getText())) ||
  (ts.isCallExpression(node) && otherCalls.test(node.expression.getText())) ||
  (ts.isNewExpression(node) &&
    /^(?:Error|TypeError|RangeError|RegExp|DOMException)$/.test(node.expression.getText()) &&
    node.expression.getText() !== 'HostError') ||
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node);

function sentencesIn(file: string, source: string): HostSentence[] {
  const found: HostSentence[] = [];
  const visit = (node: ts.Node): void => {
    if (isSkipped(node)) return;
    const folded = ts.isExpression(node) ? foldedText(node) : null;
    if (folded === null) return ts.forEachChild(node, visit);
    const text = templateOf(folded);
    if (isSentence(text)) found.push({ file, text });
    partsOf(node as ts.Expression).forEach(visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found;
}

/** Every sentence in the sources of the host that a person could read and that is not a message. */
export async function hostSentences(): Promise<HostSentence[]> {
  const folders = ['service', 'main', 'preload'].map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true })).map((file) => join(folder, file)),
  );
  const speaking = (await Promise.all(folders))
    .flat()
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(file))
    .filter((file) => !others.test(file));
  const found = await Promise.all(
    speaking.map(async (file) => sentencesIn(file, await readFile(join(root, file), 'utf8'))),
  );
  return found.flat();
}
