/** Entry point for launchers. */
export { newSecret } from '../http/access.ts';
export { DatabaseType, hostVersion, LogLevel, tokenHeader } from '../contract/index.ts';
export {
  bridgeChannels,
  bridgeEvents as bridgeNews,
  type DesktopFacts,
} from '../contract/desktop-bridge.ts';
export { HostError } from '../core/host-error.ts';
export { type DevtoolsBrowser, DrivenEngine } from '../platform/browser/chromium/driven-engine.ts';
export { maxResidentBytes } from '../platform/browser/chromium/memory-watch.ts';
export { DesktopEngine } from '../platform/computer/desktop/desktop-engine.ts';
export { embeddedTypes } from '../platform/database/database-types.ts';
export { ensureFolder } from '../platform/ensure-folder.ts';
export { closeInherited } from '../platform/inherited-descriptors.ts';
export { createLog, type Log } from '../platform/log.ts';
export { type HostPaths, hostPaths } from '../platform/paths.ts';
export {
  keyringLocked,
  minMachineKeyLength,
  readMachineId,
  sealedMachineId,
} from '../platform/secrets.ts';
export { type DatabaseFinding, type Examination, examine } from './examine.ts';
export type { HostOptions, LaunchProperties, Resources } from './options.ts';
export { finishRestore, restoreBackup, restoreSnapshotOf } from './restore.ts';
export type { BuildFacts } from '../features/updates/index.ts';
export { messagesFor, readLanguage, textIn } from '../messages/localize.ts';
export { defaultPort } from './server.ts';
export { shellPolicy } from '../contract/index.ts';
export { filledShellPage, type ShellAppearance } from './shell-page.ts';
export { type RunningHost, startHost } from './start.ts';
