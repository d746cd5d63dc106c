import { Group, Table, Text, Tooltip } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ConvertedPackage, PackageInspection } from '../../../service/contract/index.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { Alert, Tag } from '../../ui/frame/alert.tsx';
import { sizeText } from '../../core/messages/amounts.ts';
import { PackageWarnings } from '../../ui/plugins/package-warnings.tsx';
import { PermissionList } from '../../ui/plugins/permission-list.tsx';
import { PluginIcon } from '../../ui/plugins/plugin-icon.tsx';

const checksumName = 'SHA-256';

/** Shows what the service found inside a package. */
export function InspectionView({ inspection }: { inspection: PackageInspection }) {
  const { t, language } = useTranslation();
  return (
    <section>
      <Group gap="sm" wrap="nowrap">
        <PluginIcon plugin={inspection} size={36} />
        <div className="shrinks">
          <Text fw={600} size="lg" className="untrusted">
            {inspection.name}
          </Text>
          <Text size="sm" c="dimmed" className="untrusted">
            {inspection.id}
          </Text>
        </div>
        {inspection.official && <Tag tone="good">{t('source.OFFICIAL')}</Tag>}
      </Group>
      <Table mt="sm" variant="vertical" layout="fixed">
        <Table.Tbody>
          <Table.Tr>
            <Table.Th w={110}>{t('about.version')}</Table.Th>
            <Table.Td className="untrusted">{versionOf(inspection)}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{t('install.size')}</Table.Th>
            <Table.Td>{sizeText(inspection.sizeBytes, language)}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{checksumName}</Table.Th>
            <Table.Td>
              <Checksum sha256={inspection.sha256} />
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <PermissionList
        permissions={inspection.permissions}
        added={inspection.installed ? inspection.addedPermissions : []}
      />
      <Comparison inspection={inspection} />
      {inspection.converted && <Conversion converted={inspection.converted} />}
      <PackageWarnings warnings={inspection.warnings} />
    </section>
  );
}

/** Lists the supported parts of a plugin that was made for another program. */
function Conversion({ converted }: { converted: ConvertedPackage }) {
  const { t } = useTranslation();
  const { kind, carried, notCarried } = converted;
  return (
    <div className="below">
      <Alert tone="accent">{t(`install.converted.${kind}`)}</Alert>
      <Parts title={t('install.carried')} parts={carried} />
      <Parts title={t('install.notCarried')} parts={notCarried} />
    </div>
  );
}

function Parts({ title, parts }: { title: string; parts: ConvertedPackage['carried'] }) {
  if (parts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul aria-label={title}>
        {parts.map(({ message, text }, index) => (
          <li key={index} className="untrusted">
            {hostMessage(text, message)}
          </li>
        ))}
      </ul>
    </>
  );
}

function versionOf({ version, installedVersion }: PackageInspection): string {
  const changes = installedVersion !== null && installedVersion !== version;
  return changes ? `${installedVersion} → ${version}` : version;
}

function Checksum({ sha256 }: { sha256: string }) {
  return (
    <Tooltip label={<code className="checksum">{sha256}</code>} multiline maw={340} events={ALL}>
      <code tabIndex={0} aria-label={sha256}>
        {sha256.slice(0, 12)}…{sha256.slice(-8)}
      </code>
    </Tooltip>
  );
}

const ALL = { hover: true, focus: true, touch: true };

function Comparison({ inspection }: { inspection: PackageInspection }) {
  const { t } = useTranslation();
  const { comparison, version, installedVersion } = inspection;
  if (comparison === null) return null;
  return (
    <div className="below">
      <Alert tone={comparison === 'upgrade' ? 'accent' : 'warn'}>
        <span className="untrusted">
          {t(`install.comparison.${comparison}`, { version, installed: installedVersion })}
        </span>
      </Alert>
    </div>
  );
}
