import { from } from './requirement.ts';

export const tool = [
  ...from('Behaviours tied to endpoints', {
    'TOOL-01':
      '`execute_command` returns stdout and stderr separately, each with a truncation flag of its own.',
    'TOOL-02':
      'An output stream of `execute_command` over its limit keeps head and tail with a marker that names the omitted characters.',
    'TOOL-03': '`execute_command` still returns the legacy combined `output` and `truncated`.',
    'TOOL-04': '`web_search` has the effect read.',
    'TOOL-05': '`web_fetch` has the effect read.',
  }),
  ...from('Behaviours tied to endpoints; Errors', {
    'TOOL-06': '`web_search` rejects local and private-network targets.',
    'TOOL-07': '`web_fetch` rejects local and private-network targets.',
  }),
  ...from('Behaviours tied to endpoints', {
    'TOOL-08': 'The desktop offers `browser_*` tools.',
    'TOOL-09':
      '`browser_screenshot` sends the PNG as an image media part plus a DOM snapshot and the accessibility tree.',
    'TOOL-10':
      'A gateway that rejects multimodal content is retried once without the image and stays text-only from then on.',
    'TOOL-11':
      '`computer_screenshot`, `computer_displays`, `computer_apps`, `computer_cursor_position` and `computer_wait` have the effect read.',
    'TOOL-12':
      '`computer_*` tools that inject input, launch or activate apps are external and need the approval gate of the turn.',
    'TOOL-13': 'Coordinates of `computer_*` tools are logical screen points.',
    'TOOL-14': '`computer_screenshot` reports the Hi-DPI scale.',
  }),
  ...from('Behaviours tied to endpoints; Errors', {
    'TOOL-15':
      'Without a display every `computer_*` call returns a computer-use-unavailable envelope instead of throwing.',
  }),
  ...from('Behaviours tied to endpoints', {
    'TOOL-16':
      'The memory tools are `memory_remember`, `memory_search`, `memory_list` and `memory_forget`.',
    'TOOL-17': 'The memory tools are experimental and off by default.',
    'TOOL-18': 'Memories are ranked by keyword overlap with a recency half-life.',
    'TOOL-19': '`confirm_send` has the effect `external` and is approval-gated in workflows.',
    'TOOL-20':
      'A plugin tool has the effect that its manifest declares; a missing effect is treated as external.',
  }),
  ...from('Agent', {
    'TOOL-21':
      '`GET /api/agent/tools` lists `{name, description, inputSchema}` of built-in tools, plugin `aiTools` and MCP tools, indistinguishable on the wire.',
  }),
];
