import { app, type BrowserWindow } from 'electron';
import { z } from 'zod';
import {
  bridgeChannels as channels,
  bridgeNews,
  type DesktopFacts,
} from '../../service/app/index.ts';
import type { ChosenPaths } from './chosen-paths.ts';
import { choosePath, chooseTarget } from './file-dialogs.ts';
import { answer } from './ipc.ts';
import { hasKeyring } from './machine-key.ts';
import { openExternal } from './open-external.ts';
import type { Saves } from './saves.ts';
import type { WindowNews } from './window-news.ts';

/** Parts of the app that answer the calls of the shell. */
export interface BridgeParts {
  window: () => BrowserWindow | null;
  chosen: ChosenPaths;
  saves: Saves;
  news: WindowNews;
  language: () => string;
}

const path = z.string().min(1).max(32_768);
const id = z.uuid();
const maxChunkBytes = 16 * 1024 * 1024;
const bytes = z.instanceof(Uint8Array).refine(({ length }) => length <= maxChunkBytes);

/** Handles the calls of `HostBridge`. */
export function answerBridge({ window, chosen, saves, news, language }: BridgeParts): void {
  const withWindow = async <T>(work: (target: BrowserWindow) => Promise<T>): Promise<T | null> => {
    const current = window();
    return current && work(current);
  };
  const kind = z.enum(['file', 'directory']);
  answer(window, channels.pickPath, z.strictObject({ kind }), (input) =>
    withWindow((owner) => choosePath(owner, input.kind, chosen)),
  );
  answer(window, channels.dropped, z.strictObject({ path }), (input) => {
    chosen.add(input.path);
    return input.path;
  });
  answer(
    window,
    channels.chooseSave,
    z.strictObject({ fileName: z.string().max(1_000) }),
    (input) =>
      withWindow(async (owner) => {
        const target = await chooseTarget(owner, input.fileName);
        return target === null ? null : saves.begin(target);
      }),
  );
  answer(window, channels.writeSave, z.strictObject({ id, bytes }), (input) =>
    saves.write(input.id, input.bytes),
  );
  answer(window, channels.endSave, z.strictObject({ id, whole: z.boolean() }), (input) =>
    saves.end(input.id, input.whole),
  );
  answer(window, channels.openExternal, z.strictObject({ address: z.string() }), (input) =>
    withWindow((owner) => openExternal(owner, input.address, language())),
  );
  answer(window, channels.facts, z.strictObject({}), async (): Promise<DesktopFacts> => ({
    startsAtLogin: app.isPackaged,
    hasKeyring: await hasKeyring(),
    fetchesDictionaries: process.platform !== 'darwin',
  }));
  const kinds = z.enum([bridgeNews.package, bridgeNews.navigate, bridgeNews.install]);
  answer(window, channels.ready, z.strictObject({ news: kinds }), (input) =>
    news.subscribe(input.news),
  );
}
