import '../../core/messages/plugin-translations.ts';
import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { DialogProps } from '../../ui/frame/lazy-dialog.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { asksForSettings } from '../../state/market/question.ts';
import { chooseFiles } from '../../state/choose-files.ts';
import { useShell } from '../../state/shell.ts';
import type { PackagePath } from '../../state/view.ts';
import { useStore } from '../../core/store.ts';
import { acceptedFiles } from '../../state/choose-install.ts';
import type { ChosenFiles } from './chosen-files.ts';
import { InspectionView } from './inspection-view.tsx';
import { Installation } from './installation.ts';

/** Shows the content of a package before it is installed. */
export function InstallDialog({ opened }: DialogProps) {
  const { t } = useTranslation();
  const { view } = useShell();
  const { install } = useStore(view);
  return (
    <Modal
      opened={opened}
      onClose={() => view.patch({ install: null })}
      title={t('install.title')}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {install && <InstallBody files={install} />}
    </Modal>
  );
}

function InstallBody({ files }: { files: File[] | PackagePath }) {
  const { client, plugins, settings, view } = useShell();
  const installation = useMemo(() => new Installation(client, files), [client, files]);
  useEffect(() => {
    void installation.inspect();
    return () => {
      installation.cancel();
      // A cancelled upload may have arrived nevertheless.
      plugins.refreshSoon();
    };
  }, [installation, plugins]);

  const { work, chosen, inspection, error } = useStore(installation.state);
  const { requirePluginChecksum } = useStore(settings);
  const lacksChecksum = requirePluginChecksum && !mayHaveChecksum(chosen);

  return (
    <Stack gap="md">
      <div className="chosen-files">
        <ChosenFileNames installation={installation} />
        <MoreFiles installation={installation} />
      </div>
      {work === 'inspecting' && <Working word="install.inspecting" />}
      {inspection && <InspectionView inspection={inspection} />}
      {error !== null && (
        <ErrorAlert
          error={error}
          onRetry={inspection ? undefined : () => void installation.inspect()}
        />
      )}
      {inspection && lacksChecksum && <ChecksumNeeded />}
      {work === 'installing' && <Working word="install.installing" />}
      <InstallButtons
        installation={installation}
        ready={inspection !== null && !lacksChecksum && work === null}
        onClose={() => view.patch({ install: null })}
      />
    </Stack>
  );
}

/** For a package on this machine, the host itself looks for the checksum file. */
const mayHaveChecksum = (chosen: ChosenFiles): boolean =>
  chosen.kind === 'native' || (chosen.kind === 'package' && chosen.sidecar !== null);

/** Shows the names of the chosen files as plain text, since they are not trusted. */
function ChosenFileNames({ installation }: { installation: Installation }) {
  const { t } = useTranslation();
  const { chosen } = useStore(installation.state);
  if (chosen.kind === 'problem') return <Alert tone="warn">{t(chosen.problem)}</Alert>;
  if (chosen.kind === 'sidecar') return <Alert tone="warn">{t('install.noPackage')}</Alert>;
  return (
    <Text size="sm" c="dimmed" className="untrusted">
      {chosen.kind === 'native' ? chosen.path : chosen.file.name}
      {chosen.kind === 'package' && chosen.sidecar && ` · ${chosen.sidecar.name}`}
    </Text>
  );
}

/** Accepts another package, or the checksum file of this one. */
function MoreFiles({ installation }: { installation: Installation }) {
  const { t } = useTranslation();
  const { work, chosen } = useStore(installation.state);
  const lacksSidecar = chosen.kind === 'package' && chosen.sidecar === null;
  const choose = async (accept: string, multiple: boolean) => {
    const more = await chooseFiles({ accept, multiple });
    if (more && more.length > 0) await installation.add(more);
  };
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        disabled={work !== null}
        onClick={() => void choose(acceptedFiles, true)}
      >
        {t('install.another')}
      </Button>
      {lacksSidecar && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={work !== null}
          onClick={() => void choose('.sha256', false)}
        >
          {t('install.addSidecar')}
        </Button>
      )}
    </Group>
  );
}

function Working({ word }: { word: 'install.inspecting' | 'install.installing' }) {
  const { t } = useTranslation();
  return (
    <Group gap="xs" role="status">
      <Loader size="xs" />
      <Text size="sm">{t(word)}</Text>
    </Group>
  );
}

function ChecksumNeeded() {
  const { t } = useTranslation();
  return <Alert tone="warn">{t('install.checksumNeeded')}</Alert>;
}

interface InstallButtonsProps {
  installation: Installation;
  ready: boolean;
  onClose: () => void;
}

function InstallButtons({ installation, ready, onClose }: InstallButtonsProps) {
  const { t } = useTranslation();
  const { plugins, route, settings, view } = useShell();
  const { inspection } = useStore(installation.state);

  const install = async () => {
    const checksumRequired = settings.get().requirePluginChecksum;
    const installed = await installation.install({ checksumRequired });
    if (!installed) return;
    await plugins.refresh();
    onClose();
    route.go({ area: 'plugins', id: installed.id });
    if (asksForSettings(installed, inspection?.installed !== true))
      view.patch({ configure: installed.id });
  };

  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onClose}>
        {t('action.cancel')}
      </Button>
      <Button disabled={!ready} onClick={() => void install()}>
        {t(`install.action.${inspection?.comparison ?? 'new'}`, { version: inspection?.version })}
      </Button>
    </Group>
  );
}
