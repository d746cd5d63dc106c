import { otherLanguages } from '../../../service/messages/languages.ts';
import { Button, Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { languageName } from '../../core/messages/language-name.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { AppearanceStore } from '../../core/theme/appearance-store.ts';
import { useStore } from '../../core/store.ts';

interface StartLayoutProps {
  title: string;
  intro: ReactNode;
  appearance?: AppearanceStore;
  children: ReactNode;
}

/** A page before the shell is usable: one box in the middle of the window. */
export function StartLayout({ title, intro, appearance, children }: StartLayoutProps) {
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
      {appearance && <AppearanceSwitches appearance={appearance} />}
    </main>
  );
}

function AppearanceSwitches({ appearance }: { appearance: AppearanceStore }) {
  const { t } = useTranslation();
  const now = useStore(appearance);
  const theme = now.theme === 'dark' ? 'light' : 'dark';
  return (
    <Group gap="xs" mt="md">
      {otherLanguages(now.language).map((language) => (
        <Button
          key={language}
          variant="subtle"
          size="xs"
          lang={language}
          onClick={() => appearance.set({ ...now, language })}
        >
          {languageName(language)}
        </Button>
      ))}
      <Button variant="subtle" size="xs" onClick={() => appearance.set({ ...now, theme })}>
        {t(`command.theme.${theme}`)}
      </Button>
    </Group>
  );
}
