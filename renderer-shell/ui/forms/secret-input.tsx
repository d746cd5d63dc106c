import type { PasswordInputProps } from '@mantine/core';
import { PasswordInput } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';

/** A password field with a button that reveals its text. */
export function SecretInput(props: PasswordInputProps) {
  const { t } = useTranslation();
  const name = t('action.showTyped');
  return (
    <PasswordInput
      {...props}
      visibilityToggleButtonProps={{ 'aria-label': name, title: name }}
      autoComplete={props.autoComplete ?? 'off'}
    />
  );
}
