import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
/** Tell by a file why an update was taken back, and in a dialog why there is no start. */
const fromMain = ['swap', 'instance-lock', 'work-directory'].map((name) => `main/${name}.ts`);
const filled = '\u0001';

/** Files whose texts are read by models, by programs or in the log file, or have translations elsewhere. */
const toOthers = [
  'service/app/request-log',
  'service/app/server',
  'service/features/call-gate/decision-line',
  'service/app/shell-page',
  'service/client/',
  'service/contract/(?:builds|openapi|endpoint|market|page-policies)',
  'service/core/shorten',
  'service/http/mount',
  'service/platform/job-thread',
  'service/features/workflows/tools/(?:workflow-text|plain-tools)',
  'service/features/(?:tools/(?:browser/browser-tools|computer/computer-tools|command/(?:head|execute)|web/(?:plain-page|readable|search-prov|web-fetch))|mcp-server/|workflows/templates/)',
  'service/features/agent/(?:planning/planner-prompt|runs/run-store)',
  'service/features/backups/backup-database',
  'service/features/chat/(?:system-prompt|skills|conversations/(?:conversation-store|message-text|export)|turn/(?:compact|model-messages|tool-round)|attachments/read-attachment-tool|resources/resource-parts)',
  'service/features/contributions/hooks/hook-events',
  'service/features/diagnostics/metrics',
  'service/features/mcp/(?:oauth/answer-page|sampling/|tools/|prompts/)',
  'service/features/models/(?:ollama/|wire/prepared-messages)',
  'service/features/permissions/shell/(?:interpreter-table|option-table|runners|wrapper-table|wrappers|inner-commands)',
  'service/features/plugins/(?:plugin-assets|databases/plugin-sql)',
  'service/features/schedules/schedule-tool',
  'service/features/workflows/workflow-store',
  'service/platform/(?:browser/(?:accessibility|page-scripts|dom-accessors|read-page|find-browser|chromium/thread-profile)|process-(?:watchdog|marker)|isolation/sandbox-(?:profile|trial))',
  'service/platform/computer/indicator-texts',
  'service/platform/database/(?:namespaces/|sqlite|dialects|copy-sqlite|h2/h2-(?:rewrites|schema|runtime|file)|schema|table|conditions|rights-sql|migrations)',
  'service/platform/(?:log|database/(?:log-queries|migrate|sequelize-database|restore-snapshot-file))',
  'service/features/tools/(?:tool-names|argument-problem)',
  'service/features/permissions/verdict/(?:floor|suggest)',
  'service/features/models/openai',
];
const others = new RegExp(`^(?:${toOthers.join('|')})`);

/** Properties that hold what a model, a form or the description of the API says, or that stand beside their Chinese. */
const otherProperties =
  /^(?:description|summary|title|label|instructions|placeholder|script|args|answers|en)$/;
const otherCalls = /(?:^|[.#])(?:describe|say|post|prepare|query|select|exec|addLog)$|\blog\b/;
/** The diagnostics show them. */
const loggedCalls = /\blog\.(?:warn|error)$/;

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

const isOtherCall = (called: string): boolean =>
  otherCalls.test(called) && !loggedCalls.test(called);

const isSkipped = (node: ts.Node): boolean =>
  isWordList(node) ||
  (ts.isPropertyAssignment(node) && otherProperties.test(node.name.getText())) ||
  (ts.isCallExpression(node) && isOtherCall(node.expression.getText())) ||
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

/** Every sentence that the service can say to a person, as its sources have it. */
export async function hostSentences(): Promise<HostSentence[]> {
  const files = await readdir(join(root, 'service'), { recursive: true });
  const speaking = [...files.map((file) => join('service', file)), ...fromMain]
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(file))
    .filter((file) => !others.test(file));
  const found = await Promise.all(
    speaking.map(async (file) => sentencesIn(file, await readFile(join(root, file), 'utf8'))),
  );
  return found.flat();
}
