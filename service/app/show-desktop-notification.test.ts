import { expect, it } from 'vitest';
import type { Notification } from '../contract/index.ts';
import type { DesktopNotification } from '../platform/desktop.ts';
import { testDesktop } from '../testing/test-desktop.ts';
import { hostNotice } from '../features/notifications/index.ts';
import { showDesktopNotification } from './show-desktop-notification.ts';
import { msg } from '../messages/index.ts';

const parameters = {
  plugin: 'Words',
  crashes: 3,
  reason: 'The host was closed.',
  reasonMessage: msg('run.hostClosed'),
};
const { title, body = '' } = hostNotice('plugin_quarantined', parameters, { level: 'error' });
const notification: Notification = {
  id: '1',
  source: 'host',
  level: 'error',
  link: null,
  read: false,
  readAt: null,
  createdAt: '2026-01-02T03:04:05Z',
  code: 'plugin_quarantined',
  parameters,
  title,
  body: body ?? '',
  titleMessage: msg('notification.pluginQuarantined', { plugin: 'Words' }),
  bodyMessage: msg('notification.pluginQuarantinedBody', {
    crashes: 3,
    reason: parameters.reasonMessage,
  }),
};

async function notificationsIn(language: string): Promise<DesktopNotification[]> {
  const received: DesktopNotification[] = [];
  await showDesktopNotification(
    testDesktop({ notified: (each) => void received.push(each) }),
    notification,
    language,
  );
  return received;
}

it('a desktop notification is in the language of the user and includes the reason', async () => {
  expect(await notificationsIn('zh-CN')).toEqual([
    {
      ...notification,
      title: 'Words 已停止',
      body: '一分钟内崩溃 3 次，重新启用之前不会再启动。主机已关闭。',
    },
  ]);
  expect(await notificationsIn('en')).toEqual([notification]);
});
