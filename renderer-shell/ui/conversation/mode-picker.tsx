import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { PermissionMode } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';

/** Chooses what may run without approval in this conversation, from its next turn on. */
export function ModePicker({ conversation }: { conversation: Pick<Conversation, 'mode'> }) {
  const { t } = useTranslation();
  const { settings } = useShell();
  const { permissionMode } = useStore(settings);
  const mode = useStore(conversation.mode) ?? permissionMode;
  const isFull = mode === 'full-access';
  const Shield = isFull ? IconShieldOff : IconShieldCheck;
  return (
    <Menu position="top-start" width={320}>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          c={isFull ? 'var(--bad)' : undefined}
          leftSection={<Shield size={14} aria-hidden />}
          rightSection={<IconChevronDown size={12} aria-hidden />}
          aria-label={t('mode.label', { mode: t(`mode.${mode}.name`) })}
        >
          {t(`mode.${mode}.name`)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {PermissionMode.options.map((option) => (
          <Menu.RadioItem
            key={option}
            value={option}
            checked={option === mode}
            closeMenuOnClick
            className={option === 'full-access' ? 'danger-item' : undefined}
            onChange={() => conversation.mode.set(option)}
          >
            {t(`mode.${option}.name`)}
            <span className="menu-text">{t(`mode.${option}.text`)}</span>
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
