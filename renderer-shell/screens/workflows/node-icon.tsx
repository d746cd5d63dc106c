import type { Icon } from '@tabler/icons-react';
import {
  IconAbc,
  IconBell,
  IconBraces,
  IconCalculator,
  IconCalendar,
  IconClock,
  IconCode,
  IconDatabase,
  IconFile,
  IconFileSpreadsheet,
  IconFileText,
  IconFilter,
  IconFolder,
  IconGitBranch,
  IconHash,
  IconLanguage,
  IconLetterT,
  IconListCheck,
  IconMail,
  IconPhoto,
  IconPuzzle,
  IconSearch,
  IconSortAscending,
  IconSparkles,
  IconTable,
  IconTerminal2,
  IconTool,
  IconUserCheck,
  IconWorldDownload,
  IconWorldUpload,
} from '@tabler/icons-react';
import type { WorkflowNode } from '../../../service/contract/index.ts';
import { colourOf } from '../../state/workflows/node-kinds.ts';

/** The icons by the names that node types can use. */
const icons: Record<string, Icon> = {
  braces: IconBraces,
  json: IconBraces,
  text: IconLetterT,
  abc: IconAbc,
  'world-download': IconWorldDownload,
  'world-upload': IconWorldUpload,
  'git-branch': IconGitBranch,
  clock: IconClock,
  bell: IconBell,
  mail: IconMail,
  'user-check': IconUserCheck,
  calculator: IconCalculator,
  calendar: IconCalendar,
  code: IconCode,
  database: IconDatabase,
  file: IconFile,
  'file-text': IconFileText,
  'file-spreadsheet': IconFileSpreadsheet,
  filter: IconFilter,
  folder: IconFolder,
  hash: IconHash,
  language: IconLanguage,
  'list-check': IconListCheck,
  photo: IconPhoto,
  puzzle: IconPuzzle,
  search: IconSearch,
  'sort-ascending': IconSortAscending,
  sparkles: IconSparkles,
  table: IconTable,
  terminal: IconTerminal2,
  tool: IconTool,
};

const neutral = '#5f6773';

/** Returns the text color for a background: dark on light colors. */
function textColourOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    parseInt(colour.slice(at, at + 2), 16),
  );
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? '#1c2026' : '#ffffff';
}

const letterOf = (label: string): string => /^./u.exec(label)?.[0].toUpperCase() ?? '?';

/** Shows the icon of a node type, or a letter if its icon is unknown. */
export function NodeIcon({ kind, size = 24 }: { kind: WorkflowNode | undefined; size?: number }) {
  const colour = colourOf(kind) ?? neutral;
  const name = kind?.icon ?? '';
  const Shape = Object.hasOwn(icons, name) ? icons[name] : undefined;
  return (
    <span
      className="flow-icon"
      aria-hidden
      style={{ width: size, height: size, background: colour, color: textColourOn(colour) }}
    >
      {Shape ? <Shape size={size * 0.66} /> : letterOf(kind?.label ?? '?')}
    </span>
  );
}
