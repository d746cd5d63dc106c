/**
 * Description of each field of `manifest.json`, by its path: `[]` is an entry of a list, `*` any
 * key. Used by editors and for the generated reference.
 */
export const manifestFields: Record<string, string> = {
  $schema: 'Address of the JSON Schema, for editors. The host does not read it.',
  id: 'Name of the plugin that never changes: lower case, parts separated by dots, such as com.example.words. Ids that begin with host. belong to the host.',
  name: 'Name that people see.',
  version: 'Version as semver.org defines it. An update must have a higher one.',
  description: 'One or two sentences that the store and the details of the plugin show.',
  author: 'Who made the plugin.',
  category: 'Where the store lists it, such as documents, data or developer.',
  icon: 'An image below ui/ such as ui/icon.svg (SVG, PNG, JPEG, WebP or GIF, at most 256 KiB, square), or the name of an icon. Without an image the shell shows the first letter of the name.',
  permissions:
    'What the worker may do: read granted files (files.read), change them (files.write), notify (notifications), use the network (network). People see the list before they install.',
  official: 'Kept for plugins that come with the host.',
  minHostVersion: 'The oldest version of the host that the plugin works with.',
  ui: 'The page of the plugin.',
  'ui.entry': 'The page that is opened; a file below ui/.',
  worker: 'The process behind the page.',
  'worker.runtime': 'What runs the worker.',
  'worker.entry':
    'The file that is started. Default: backend/worker.jar or backend/worker.mjs, as the runtime needs.',
  'worker.memoryMb': 'Limit of the heap in MiB.',
  methods: 'What can be called, by name. A method that is not here is never called.',
  'methods.*.description': 'What the method does.',
  'methods.*.params': 'JSON Schema of the parameters. A call that does not fit is refused.',
  'methods.*.result': 'JSON Schema of the result.',
  'methods.*.timeoutSeconds': 'A call that takes longer is ended.',
  aiTools: 'Methods that models may call as tools.',
  'aiTools[].name': 'Name of the tool: letters, digits, _ and -, at most 64.',
  'aiTools[].description': 'For the model: what the tool does, and when to use it.',
  'aiTools[].method': 'The method that is called.',
  'aiTools[].inputSchema': 'JSON Schema of the arguments. Default: the params of the method.',
  'aiTools[].effect':
    'What a call does at most. The permission mode decides by it what needs approval.',
  flowNodes: 'Steps of workflows.',
  'flowNodes[].type':
    'Name of the kind of step that never changes; begin it with the id of the plugin.',
  'flowNodes[].tool': 'Name of one of the aiTools, which the step calls.',
  'flowNodes[].label': 'Name that people see.',
  'flowNodes[].color': 'Color of the step in the builder, as CSS writes it.',
  'flowNodes[].icon': 'Name of an icon of the shell.',
  'flowNodes[].inputs': 'Fields of the form of the step, in their order.',
  'flowNodes[].inputs[].name': 'Argument of the tool that the field fills in.',
  'flowNodes[].inputs[].label': 'Label of the field.',
  'flowNodes[].inputs[].widget':
    'How the field is filled in: text, number, switch, select, textarea, json, analyze or rows. Any other word means json.',
  'flowNodes[].inputs[].required': 'Whether the field must be filled in.',
  'flowNodes[].inputs[].default': 'Value of the field in a new step.',
  'flowNodes[].inputs[].options': 'A fixed list to choose from.',
  'flowNodes[].inputs[].options[].value': 'Value that is handed to the tool.',
  'flowNodes[].inputs[].options[].label': 'Text that people choose.',
  'flowNodes[].inputs[].source':
    'A method or tool of the plugin that answers the list to choose from, or an object with one list in it, within 10 s.',
  'flowNodes[].inputs[].source.method': 'The method.',
  'flowNodes[].inputs[].source.tool': 'One of the aiTools, in place of a method.',
  'flowNodes[].inputs[].source.params':
    'Parameters of the call. {{inputs.<name>}} stands for what another field of the step holds.',
  'flowNodes[].inputs[].source.value':
    'Where in an entry its value is: names with dots between them.',
  'flowNodes[].inputs[].source.label': 'Where in an entry its text is.',
  'flowNodes[].inputs[].source.labelSecondary': 'Where in an entry a second, smaller text is.',
  'flowNodes[].inputs[].source.multiple': 'Whether several entries can be chosen.',
  'flowNodes[].inputs[].context':
    'Data that a method derives from the value of another field, for other fields to choose from.',
  'flowNodes[].inputs[].context.from': 'Name of the other field.',
  'flowNodes[].inputs[].context.method': 'The method; it is called with {<from>: value}.',
  'flowNodes[].inputs[].optionsFromContext':
    'A list to choose from, out of the context of another field: its name, and with dots the way to the list, or an object.',
  'flowNodes[].inputs[].optionsFromContext.context': 'Name of the field with the context.',
  'flowNodes[].inputs[].optionsFromContext.path': 'Where in the context the list is.',
  'flowNodes[].inputs[].optionsFromContext.value': 'Where in an entry its value is.',
  'flowNodes[].inputs[].optionsFromContext.label': 'Where in an entry its text is.',
  'flowNodes[].inputs[].optionsFromContext.labelSecondary':
    'Where in an entry a second, smaller text is.',
  'flowNodes[].outputs': 'Results that later steps can use, and branches.',
  'flowNodes[].outputs[].name': 'Name that references use.',
  'flowNodes[].outputs[].label': 'Name that people see.',
  'flowNodes[].outputs[].path':
    'Where in the result of the tool the value is. Default: the whole result.',
  'flowNodes[].outputs[].branch':
    'Makes the output a branch: steps behind it run only when the value at path is this one.',
  userConfig:
    'Settings that a person enters, by key: letters, digits, _, . and -, at most 100 of them.',
  'userConfig.*.type': 'What is entered.',
  'userConfig.*.title': 'Label in the form.',
  'userConfig.*.description': 'Help below the field.',
  'userConfig.*.required': 'Calls are answered 409 config_missing as long as it is not entered.',
  'userConfig.*.default': 'Value while nothing is entered.',
  'userConfig.*.sensitive': 'Encrypted on the disk and masked in every answer.',
  database: 'Whether the worker gets a database of its own.',
};
