import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { Permission } from '../../../service/contract/index.ts';
import { Tag } from '../frame/alert.tsx';

interface PermissionListProps {
  permissions: string[];
  /** Permissions that the installed version does not have. */
  added: string[];
}

/** Describes the permissions of a plugin. */
export function PermissionList({ permissions, added }: PermissionListProps) {
  const { t } = useTranslation();
  const labelOf = (permission: string) => {
    const parsed = Permission.safeParse(permission);
    return parsed.success ? t(`permission.${parsed.data.replace('.', '_')}`) : permission;
  };
  return (
    <section className="permissions">
      <h3>{t('permission.title')}</h3>
      {permissions.length === 0 && <p className="plain">{t('permission.none')}</p>}
      <ul>
        {permissions.map((permission) => (
          <li key={permission}>
            <IconCheck size={14} aria-hidden />
            <span className="untrusted">{labelOf(permission)}</span>
            {added.includes(permission) && <Tag tone="warn">{t('permission.added')}</Tag>}
          </li>
        ))}
      </ul>
    </section>
  );
}
