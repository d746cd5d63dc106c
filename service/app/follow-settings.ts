import type { PluginsFeature } from '../features/plugins/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import type { UnpackedFeature } from '../features/unpacked/index.ts';
import type { AppContext } from './app-context.ts';

/** The change is logged, so that the log shows with which protection a plugin ran. */
function logPosture(log: AppContext['log'], unsandboxed: boolean): void {
  if (unsandboxed) log.warn('isolation', 'Plugin workers run without the sandbox from now on.');
  else log.info('isolation', 'Plugin workers run in the sandbox again, where there is one.');
}

/** Applies settings now and after each change. */
export async function followSettings(
  { log, logLevelFromLaunch, developer }: AppContext,
  { service }: SettingsFeature,
  {
    plugins: { host, refuseDebuggers },
    unpacked,
  }: { plugins: PluginsFeature; unpacked: UnpackedFeature },
): Promise<void> {
  const applyLevel = (): void => {
    log.level = service.values.logLevel;
    host.setLogLevel(log.level);
  };
  const applyAreas = (): void => {
    log.areaLevels = service.values.logLevels;
  };
  if (!logLevelFromLaunch) applyLevel();
  applyAreas();
  const applyDeveloper = (): Promise<void> => {
    const { developerMode } = service.values;
    if (!developerMode) {
      host.endDevelopment();
      refuseDebuggers();
    }
    const prepare = (): Promise<void> =>
      developer.follow(developerMode).catch((error: unknown) => {
        log.error('plugins', 'dev.json could not be written or removed', error);
      });
    return unpacked.follow(developerMode, prepare);
  };
  await applyDeveloper();
  service.changes.subscribe(({ keys }) => {
    if (keys.includes('logLevel')) applyLevel();
    if (keys.includes('logLevels')) applyAreas();
    if (keys.includes('developerMode')) void applyDeveloper();
    // Running workers keep the sandbox that they were started with.
    if (!keys.includes('unsandboxedPlugins')) return;
    logPosture(log, service.values.unsandboxedPlugins);
    host
      .restartWorkers()
      .catch((error: unknown) => log.error('plugins', 'Workers could not be restarted', error));
  });
}
