import { languageAfter } from '../../../service/contract/languages.ts';
import { Button, Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { LookStore } from '../../core/theme/look-store.ts';
import { useStore } from '../../core/store.ts';

interface StartLayoutProps {
  title: string;
  intro: ReactNode;
  look?: LookStore;
  children: ReactNode;
}

/** A page before the shell is usable: one thing in the middle of the window. */
export function StartLayout({ title, intro, look, children }: StartLayoutProps) {
  return (
    <main className="start">
      <Paper className="start-card" withBorder radius="md" p="xl">
        <Title order={1} size="h3">
          {title}
        </Title>
        <Text component="div" c="dimmed" mt={8} mb="lg">
          {intro}
        </Text>
        {children}
      </Paper>
      {look && <LookSwitches look={look} />}
    </main>
  );
}

function LookSwitches({ look }: { look: LookStore }) {
  const { t } = useTranslation();
  const now = useStore(look);
  const theme = now.theme === 'dark' ? 'light' : 'dark';
  const language = languageAfter(now.language);
  return (
    <Group gap="xs" mt="md">
      <Button
        variant="subtle"
        size="xs"
        lang={language}
        onClick={() => look.set({ ...now, language })}
      >
        {t(`language.${language}`)}
      </Button>
      <Button variant="subtle" size="xs" onClick={() => look.set({ ...now, theme })}>
        {t(`command.theme.${theme}`)}
      </Button>
    </Group>
  );
}
