import { Loader } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { OfferedResource } from '../../state/chat/offered-resources.ts';
import { sizeText } from '../../core/messages/amounts.ts';
import { errorText } from '../../core/messages/error-text.ts';
import type { ServerResources } from './use-resources.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

interface ResourceGroupProps {
  group: ServerResources;
  /** The matching resources, up to the limit of the list. */
  visible: readonly OfferedResource[];
  /** The resource that Enter selects; it may belong to another server. */
  chosen: OfferedResource | undefined;
  onChoose: (resource: OfferedResource) => void;
}

/** Shows one server with its resources; empty if none match. */
export function ResourceGroup({ group, visible, chosen, onChoose }: ResourceGroupProps) {
  const label = useId();
  if (group.kind === 'ready' && visible.length === 0) return null;
  return (
    <div role="group" aria-labelledby={label} className="resource-shelf">
      <h3 id={label} className="untrusted">
        {group.server}
      </h3>
      <ResourceGroupStatus group={group} />
      {visible.map((resource) => (
        <ResourceOption
          key={resource.uri}
          resource={resource}
          isChosen={resource === chosen}
          onChoose={() => onChoose(resource)}
        />
      ))}
    </div>
  );
}

function ResourceGroupStatus({ group }: { group: ServerResources }) {
  const { t } = useTranslation();
  if (group.kind === 'ready') return null;
  if (group.kind === 'loading')
    return <Loader size="xs" aria-label={t('chat.resources.loading')} />;
  const reason =
    group.kind === 'failed'
      ? errorText(group.error).text
      : hostMessage(group.reasonMessage, group.reason);
  return (
    <p className="plain quiet untrusted">
      {group.kind === 'away' && t('chat.resources.away')} {reason}
    </p>
  );
}

interface ResourceOptionProps {
  resource: OfferedResource;
  isChosen: boolean;
  onChoose: () => void;
}

function ResourceOption({ resource, isChosen, onChoose }: ResourceOptionProps) {
  const { language } = useTranslation();
  const { name, description, uri, mimeType, sizeBytes } = resource;
  const size = sizeBytes === null ? '' : sizeText(sizeBytes, language);
  const facts = [mimeType, size].filter((fact) => fact !== '').join(' · ');
  return (
    <div
      id={optionId(resource)}
      role="option"
      aria-selected={isChosen}
      className="resource-option"
      title={uri}
      ref={(element) => {
        if (isChosen) element?.scrollIntoView({ block: 'nearest' });
      }}
      onClick={onChoose}
    >
      <span className="resource-name untrusted">{name}</span>
      <span className="quiet untrusted">{facts}</span>
      {description !== '' && <span className="resource-text quiet untrusted">{description}</span>}
    </div>
  );
}

export const optionId = ({ serverId, uri }: OfferedResource): string =>
  `resource-${encodeURIComponent(serverId)}-${encodeURIComponent(uri)}`;
