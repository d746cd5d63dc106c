import { Button, Code } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ServiceError } from '../../../service/client/index.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import type { AppearanceStore } from '../../core/theme/appearance-store.ts';
import type { Session, SignInReason } from '../../core/session/session.ts';
import { errorText } from '../../core/messages/error-text.ts';
import { StartLayout } from '../../ui/frame/start-layout.tsx';

/** Props of the sign-in page. */
export interface TokenPageProps {
  session: Session;
  why: SignInReason;
  appearance: AppearanceStore;
}

/** Asks for the token that the service printed when it started. */
export function TokenPage({ session, why, appearance }: TokenPageProps) {
  const { t } = useTranslation();
  const [before, code, after] = t('token.intro').split(/<\/?code>/);
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    setBusy(true);
    setProblem(null);
    await session.signIn(tokenFrom(token)).catch((error: unknown) => {
      const refused = error instanceof ServiceError && error.problem.status === 401;
      setProblem(refused ? t('token.wrong') : errorText(error).text);
    });
    setBusy(false);
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void submit();
  };

  return (
    <StartLayout
      title={t('token.title')}
      intro={
        <>
          {before}
          <Code>{code}</Code>
          {after}
        </>
      }
      appearance={appearance}
    >
      {why !== 'no-token' && (
        <div className="above">
          <Alert tone="warn">{t(`token.why.${why}`)}</Alert>
        </div>
      )}
      <form onSubmit={onSubmit}>
        <SecretInput
          label={t('token.label')}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          error={problem}
          autoComplete="off"
          data-autofocus
          autoFocus
        />
        <Button type="submit" mt="md" loading={busy} disabled={tokenFrom(token) === ''}>
          {t('token.submit')}
        </Button>
      </form>
    </StartLayout>
  );
}

/** Accepts the token also as the complete line that the host prints. */
const tokenFrom = (text: string): string => text.trim().replace(/^HOST_TOKEN=/, '');
