import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api, type ChatRequest, type Conversation } from '../../../contract/index.ts';
import { only, startChatHost } from '../../../testing/chat-host.ts';
import { docxOf, paragraph, pdfOf } from '../../../testing/documents.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const host = await useForFile(startChatHost());

beforeAll(async () => {
  await host.client.call(api.aiConfig.put, { body: { contextWindowTokens: 1_000_000 } });
});
afterEach(() => {
  host.model.script(() => ({ text: ['Seen.'] }));
  host.model.requests.length = 0;
});

const { chat, conversations } = api;
const user = (content: string) => ({ role: 'user' as const, content });
const create = (): Promise<Conversation> => host.client.call(conversations.create, { body: {} });
const show = (id: string): Promise<Conversation> =>
  host.client.call(conversations.show, { params: { id } });

async function bring(name: string, content: string | Buffer): Promise<{ uploadId: string }> {
  const blob = new Blob([new Uint8Array(Buffer.from(content))]);
  const { uploadId } = await host.client.call(chat.upload, { files: [{ blob, name }], fields: {} });
  return { uploadId };
}

/** The last request to the model as one text. */
const asked = (): string =>
  host.model.requests
    .at(-1)
    ?.messages.map(({ content }) =>
      typeof content === 'string' ? content : JSON.stringify(content),
    )
    .join('\n') ?? '';

async function sendMessage(request: Omit<ChatRequest, 'messages'>, text: string): Promise<void> {
  const earlier = request.conversationId ? (await show(request.conversationId)).messages : [];
  await host.sendMessage({ ...request, messages: [...earlier, user(text)] });
}

describe('an attached file', () => {
  it('with text is read by the model, now and in later turns, and stays with its message', async () => {
    const { id } = await create();
    const files = [await bring('notes.txt', 'The meeting is on Thursday.')];
    await sendMessage({ conversationId: id, files }, 'Summarise notes');
    expect(asked()).toContain('The meeting is on Thursday.');
    expect(asked()).toContain('name="notes.txt"');
    const [first] = (await show(id)).messages;
    expect(first).toMatchObject({
      content: 'Summarise notes',
      attachments: [{ name: 'notes.txt', mimeType: 'text/plain', sizeBytes: 27, kind: 'text' }],
    });
    await sendMessage({ conversationId: id }, 'And now?');
    expect(asked()).toContain('The meeting is on Thursday.');
    // A client that keeps only role and content has the same conversation.
    const plain = (await show(id)).messages.map(({ role, content }) => ({ role, content }));
    await host.sendMessage({ conversationId: id, messages: [...plain, user('Once more')] });
    expect(asked()).toContain('The meeting is on Thursday.');
    await host.sendMessage({
      conversationId: id,
      after: 4,
      messages: [user('And with the stored ones')],
    });
    expect(asked()).toContain('The meeting is on Thursday.');
  });

  it('stays attached when its question is asked again, in a fork and with an edited message', async () => {
    const { id } = await create();
    const files = [await bring('notes.txt', 'The meeting is on Thursday.')];
    await sendMessage({ conversationId: id, files }, 'Summarise');
    const { messages, revision } = await show(id);
    await host.sendMessage({
      conversationId: id,
      messages: [user('Summarise')],
      replaceFrom: { index: 0, revision },
    });
    expect(asked()).toContain('on Thursday');
    const again = await show(id);
    expect(again.messages[0]?.attachments).toEqual(messages[0]?.attachments);
    expect(again.messages[1]?.siblings).toHaveLength(2);

    const fork = await host.client.call(conversations.fork, {
      params: { id },
      body: { messageIndex: 1 },
    });
    await sendMessage({ conversationId: fork.id }, 'More');
    expect(asked()).toContain('on Thursday');

    const [attachment] = messages[0]?.attachments ?? [];
    if (attachment === undefined) throw new Error('Nothing is attached.');
    const other = await create();
    const carried = [{ attachment: { conversationId: id, ...attachment } }];
    await host.client.call(conversations.remove, { params: fork });
    await sendMessage({ conversationId: other.id, files: carried }, 'Edited');
    expect(asked()).toContain('on Thursday');
    await host.client.call(conversations.remove, { params: { id } });
    await sendMessage({ conversationId: other.id }, 'Still there?');
    expect(asked()).toContain('on Thursday');
    const rejected = sendMessage({ conversationId: other.id, files: carried }, 'x');
    await expect(rejected).rejects.toMatchObject({
      problem: { status: 404, code: 'unknown_attachment' },
    });
  });

  it('that is long is sent as head and tail with a note on the gap, and read_attachment reads the rest', async () => {
    const { id } = await create();
    const text = `HEAD${'m'.repeat(100_000)}MIDDLE${'m'.repeat(100_000)}TAIL`;
    const files = [await bring('long.log', text)];
    await sendMessage({ conversationId: id, files }, 'Read');
    expect(asked()).toMatch(/HEADm+\n\[… \d+ characters omitted …\]\nm+TAIL/);
    expect(asked().length).toBeLessThan(80_000);
    for (const request of [{ conversationId: id }, { files: [await bring('long.log', text)] }]) {
      host.model.script(({ messages }) =>
        messages.at(-1)?.role === 'tool'
          ? { text: ['Read.'] }
          : {
              toolCalls: [
                {
                  name: 'read_attachment',
                  arguments: JSON.stringify({ name: 'long.log', offset: 100_000, limit: 20 }),
                },
              ],
            },
      );
      const earlier = 'files' in request ? [] : (await show(id)).messages;
      const events = await host.sendMessage({ ...request, messages: [...earlier, user('Go on')] });
      const [, result] = only(events, 'tool');
      expect(JSON.parse(String(result?.['output']))).toEqual({
        text: text.slice(100_000, 100_020),
        offset: 100_000,
        totalCharacters: text.length,
        truncated: true,
      });
    }
  });

  it('shares 256 KiB per message with the others', async () => {
    const long = 'z'.repeat(200_000);
    const files = [await bring('short.md', '# Short')];
    for (let index = 0; index < 7; index += 1) files.push(await bring(`${index}.txt`, long));
    await sendMessage({ files }, 'Read');
    expect(asked()).toContain('# Short');
    const all = (asked().match(/z/g) ?? []).length;
    expect(all).toBeGreaterThan(240 * 1024);
    expect(all).toBeLessThanOrEqual(256 * 1024);
  });

  it.each([
    ['UTF-16', Buffer.from('\ufeffGrüße 字', 'utf16le'), 'Grüße 字'],
    ['windows-1252', Buffer.from('Name;Straße;Größe', 'latin1'), 'Name;Straße;Größe'],
    ['GB 18030', Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7]), '你好世界'],
  ])('in %s is text', async (_, bytes, text) => {
    await sendMessage({ files: [await bring('table.csv', bytes)] }, 'Read');
    expect(asked()).toContain(text);
  });

  it('of a PDF or Word document is passed on as text, and can be read further and attached again like a text file', async () => {
    const { id } = await create();
    const pages = Array.from({ length: 40 }, (_, index) =>
      Array.from({ length: 50 }, (_, line) => `Page ${index + 1} line ${line} ${'x'.repeat(30)}`),
    );
    const files = [
      await bring('paper.pdf', pdfOf(pages.map((lines) => lines.join('\n')))),
      await bring('report.docx', await docxOf(paragraph('The quarter went well.'))),
    ];
    await sendMessage({ conversationId: id, files }, 'Read both');
    const attachments = [
      { name: 'paper.pdf', kind: 'pdf', mimeType: 'application/pdf', refId: expect.any(String) },
      { name: 'report.docx', kind: 'document', refId: expect.any(String) },
    ];
    const stored = (await show(id)).messages[0];
    expect(stored).toMatchObject({ attachments });
    const [paper, report] = stored?.attachments ?? [];
    expect(report).toMatchObject({ preview: 'The quarter went well.' });
    const params = { id, refId: paper?.refId ?? '' };
    const seen = await host.client.call(api.conversations.attachment, { params });
    expect(seen.excerpt).toMatch(/^Page 1 line 0[^]*characters omitted[^]*Page 40 line 49/);
    expect(asked()).toContain(seen.excerpt);
    expect(seen.totalCharacters).toBeGreaterThan(seen.excerpt.length);
    expect(asked()).toContain('The quarter went well.');
    expect(asked()).toContain('Page 1 line 0');
    expect(asked()).toContain('Page 40 line 49');
    expect(asked()).toMatch(/\[… \d+ characters omitted …\]/);
    host.model.script(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: ['Read.'] }
        : {
            toolCalls: [
              {
                name: 'read_attachment',
                arguments: JSON.stringify({ name: 'report.docx', limit: 11 }),
              },
            ],
          },
    );
    const earlier = (await show(id)).messages;
    const events = await host.sendMessage({
      conversationId: id,
      messages: [...earlier, user('Go on')],
    });
    expect(JSON.parse(String(only(events, 'tool')[1]?.['output']))).toEqual({
      text: 'The quarter',
      offset: 0,
      totalCharacters: 22,
      truncated: true,
    });
    const [, word] = (await show(id)).messages[0]?.attachments ?? [];
    if (word === undefined) throw new Error('Nothing is attached.');
    const other = await create();
    const carried = [{ attachment: { conversationId: id, ...word } }];
    await sendMessage({ conversationId: other.id, files: carried }, 'Again');
    expect(asked()).toContain('The quarter went well.');
    const again = (await show(other.id)).messages[0]?.attachments;
    expect(again).toMatchObject([{ name: 'report.docx', kind: 'document' }]);
  });

  it('that is unknown or belongs to another conversation has no text', async () => {
    const { id } = await create();
    const params = { id, refId: 'nothing' };
    await expect(host.client.call(api.conversations.attachment, { params })).rejects.toMatchObject({
      problem: { status: 404, code: 'unknown_attachment' },
    });
  });

  it('that cannot be read is described by name, size and reason, and an image is sent as an image', async () => {
    const { id } = await create();
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const files = [
      await bring('data.bin', Buffer.from([0, 1, 2, 3])),
      await bring('paper.pdf', '%PDF-1.7 and so on'),
      await bring('paper.docx', 'PK\x03\x04 and so on'),
      await bring('locked.docx', Buffer.from('d0cf11e0a1b11ae100000000', 'hex')),
      await bring('dot.png', pixel),
    ];
    const { said } = await host.client.call(chat.start, {
      body: { conversationId: id, files, messages: [user('Look')] },
    });
    await expect.poll(() => host.model.requests.length).toBe(1);
    const held = asked().replaceAll('\\"', '"');
    expect(held).toContain('name="data.bin" type="application/octet-stream" bytes="4"');
    expect(held).toContain('name="paper.pdf"');
    expect(asked()).toContain(pixel.toString('base64'));
    const attachments = [
      {
        name: 'data.bin',
        kind: 'other',
        sizeBytes: 4,
        problemMessage: { code: 'chat.file.binary' },
      },
      {
        name: 'paper.pdf',
        kind: 'other',
        mimeType: 'application/pdf',
        problemMessage: { code: 'chat.file.damaged' },
      },
      { name: 'paper.docx', kind: 'other', problemMessage: { code: 'chat.file.damaged' } },
      { name: 'locked.docx', kind: 'other', problemMessage: { code: 'chat.file.encrypted' } },
      { name: 'dot.png', kind: 'image', mimeType: 'image/png' },
    ];
    expect(said).toMatchObject({ id: expect.any(String) as unknown, attachments });
    expect((await show(id)).messages[0]).toMatchObject({ attachments });
  });
});
