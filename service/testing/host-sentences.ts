import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const filled = '\u0001';

/** Files whose texts are not for a person in front of the host. */
const toOthers = [
  // API descriptions and other texts for programs.
  'service/contract/(?:openapi|endpoint|manifest-fields|market|page-policies)',
  'service/client/',
  // Empty pages.
  'service/app/answer-frames',
  // Log lines, and reasons in them.
  'service/app/(?:request-log|cluster-metrics)',
  'service/features/call-gate/decision-line',
  'service/features/diagnostics/(?:otlp-errors|metrics)',
  'service/features/plugins/packages/(?:package-layout|package-manifest)',
  'service/platform/(?:log|job-thread)',
  // Texts for models: tools, prompts, and messages about a call.
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
  // Clients of our MCP server, and servers that use a model through the host.
  'service/features/(?:mcp-server/|mcp/sampling/)',
  // Documents that the host writes, which are in English.
  'service/features/(?:backups/|chat/conversations/(?:export|message-text))',
  // Words of programs: shells, databases, browsers, the kernel.
  'service/features/permissions/(?:shell/|verdict/(?:floor|suggest))',
  'service/features/contributions/hooks/hook-events',
  'service/features/(?:workflows/workflow-store|agent/runs/run-store|chat/conversations/conversation-store|plugins/databases/plugin-sql)',
  'service/platform/(?:database|cluster)/',
  'service/features/agent/cluster/run-claims',
  'service/platform/(?:browser/(?:accessibility|page-scripts|dom-accessors|find-browser)|process-(?:watchdog|marker)|isolation/(?:sandbox-(?:profile|trial)|launcher)|computer/x11/)',
  // Labels that the page takes from its catalogs by the type of the node.
  'service/features/workflows/nodes/built-in-nodes',
  // The terminal, whose language is English.
  'main/(?:flags|doctor|announce|launch|properties|fresh-address|electron-as-node|instance-lock|index|mcp|terminal-output)',
];
const others = new RegExp(`^(?:${toOthers.join('|')})`);

/** Properties with texts for models, forms or API descriptions. */
const otherProperties =
  /^(?:description|summary|title|label|instructions|placeholder|script|args|answers)$/;
const otherCalls =
  /(?:^|[.#])(?:describe|printMessage|logMessage|post|prepare|query|select|exec|addLog|reportError)$|\blog\b/i;

/** A sentence in the sources. */
export interface HostSentence {
  file: string;
  /** Contains `{1}`, `{2}` … in place of inserted values. */
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

/** Returns the texts inside a concatenation or template that are separate texts. */
function partsOf(node: ts.Expression): ts.Node[] {
  if (ts.isParenthesizedExpression(node)) return partsOf(node.expression);
  if (ts.isTemplateExpression(node)) return node.templateSpans.map((span) => span.expression);
  if (ts.isBinaryExpression(node) && foldedText(node) !== null)
    return [...partsOf(node.left), ...partsOf(node.right)];
  return foldedText(node) === null ? [node] : [];
}

/** Numbers the placeholders; adjacent ones count as one. */
function templateOf(folded: string): string {
  let count = 0;
  return folded.trim().replaceAll(/\u0001(?:\s*\u0001)*/g, () => `{${++count}}`);
}

/** A text with many lines is a script or document, not a sentence. */
const isSentence = (text: string): boolean =>
  /[A-Za-z]{2,} +[A-Za-z{“]/.test(text) && text.split('\n').length < 4;

/** A list that is written as one string. */
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

/**
 * Returns every sentence in the host's sources that a person could read and that is not a message.
 */
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
