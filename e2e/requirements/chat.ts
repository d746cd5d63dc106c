import { from } from './requirement.ts';

export const chat = [
  ...from('AI chat and config', {
    'CHAT-01':
      '`POST /api/ai/chat` `{messages: [{role, content}]}` answers `{streamId, activeFileRefs}`.',
    'CHAT-02': '`POST /api/ai/chat` takes an optional `permissionMode` for the turn.',
    'CHAT-03': '`GET /api/ai/stream?streamId=` sends the events of the turn.',
  }),
  ...from('Chat stream (GET /api/ai/stream?streamId=)', {
    'CHAT-04': 'Event `token` `{text}` is a chunk of the reply; the chunks in order are the reply.',
    'CHAT-05': 'Event `thinking` `{text}` is a chunk of reasoning.',
    'CHAT-06': 'The shell renders reasoning as collapsed cards.',
    'CHAT-07':
      'Event `tool` `{phase: "call", name, arguments}` says that the model calls a tool; `arguments` is a JSON-serialized string.',
    'CHAT-08': 'Event `tool` `{phase: "result", id, success, output}` says that the tool returned.',
    'CHAT-09': 'A tool result with `success` false carries the error in `output`.',
    'CHAT-10': 'Both phases share the event name `tool`; `phase` tells them apart.',
    'CHAT-11':
      'Event `done` `{text, tokens, tps}` ends the turn: `text` is the full reply, `tps` tokens per second.',
    'CHAT-12': 'Event `error` `{message}` says that the chat turn failed.',
    'CHAT-13': 'Built-in and plugin tools look identical on the wire.',
    'CHAT-14':
      'The live stream carries the complete tool result even when the copy for the model is truncated.',
  }),
  ...from('Conversation; AI chat and config', {
    'CHAT-15': '`GET /api/ai/conversations` answers summaries, newest first.',
    'CHAT-16':
      '`GET /api/ai/conversations/{id}` answers the conversation `{id, title, messages}` with messages `{role, content}`.',
    'CHAT-17':
      '`POST /api/ai/conversations` `{title, messages}` answers the created conversation with its id.',
    'CHAT-18':
      '`PUT /api/ai/conversations/{id}` `{title, messages}` replaces the whole conversation; it is not a delta.',
    'CHAT-19': '`DELETE /api/ai/conversations/{id}` removes the conversation.',
  }),
  ...from('What the service does', {
    'CHAT-20': 'Conversations are persisted: they survive a restart.',
  }),
  ...from('AI chat and config', {
    'CHAT-21': '`workflowId` binds the turn to that flow, draft or published.',
    'CHAT-22': 'A turn bound to a flow gives the model the tool `run_current_flow`.',
    'CHAT-23':
      'Pending edits of the flow editor are saved before a turn that is bound to the flow.',
  }),
];
