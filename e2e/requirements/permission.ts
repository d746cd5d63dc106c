import { from } from './requirement.ts';

export const permission = [
  ...from('Behaviours tied to endpoints', {
    'PERMISSION-01':
      'Mode `ask-for-approval`: reads run directly; command execution, file changes and external actions ask.',
    'PERMISSION-02':
      'Mode `approve-for-me`: safe sandboxed commands and declared reads and writes run on their own; risky commands and external or network actions ask.',
    'PERMISSION-03': 'Mode `full-access`: no tool asks for approval.',
    'PERMISSION-04': 'Mode `full-access`: commands run without the native sandbox.',
    'PERMISSION-05':
      'Mode `full-access`: sensitive inherited environment variables are still removed.',
    'PERMISSION-06':
      'A call is judged in fixed order: pre_tool_use hooks, deny rules, ask rules, allow rules, default of the mode.',
    'PERMISSION-07':
      'Deny beats ask and ask beats allow, whatever the order they were declared in.',
    'PERMISSION-08': 'The rules of the settings stand one per line.',
    'PERMISSION-09':
      '`Command(<prefix or glob>)` matches commands, such as `git status` and `git:*`.',
    'PERMISSION-10': '`Tool(<glob>)` matches tools by name.',
    'PERMISSION-11': '`Effect(<effect>)` matches tools by effect.',
    'PERMISSION-12': '`Mcp(<server>__*)` and `mcp__<server>` match the tools of an MCP server.',
    'PERMISSION-13': '`WebFetch(domain:<host>)` matches that host and its subdomains.',
    'PERMISSION-14': 'In a shell chain a deny or ask rule matches when it matches any segment.',
    'PERMISSION-15': 'In a shell chain an allow rule grants only when every segment matches.',
    'PERMISSION-16':
      'A floor of dangerous commands (rm, sudo, kill, git push and similar) voids allow rules and always asks.',
  }),
  ...from('Behaviours tied to endpoints; Errors', {
    'PERMISSION-17':
      "A call denied by a rule fails its step with the rule's reason, visible to the model.",
  }),
];
