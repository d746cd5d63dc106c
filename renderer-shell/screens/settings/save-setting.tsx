import { Button } from '@mantine/core';
import { useState } from 'react';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { chooseSaveTarget } from '../../state/plugin-files/save-target.ts';
import { Setting } from '../../ui/forms/setting.tsx';

interface SaveSettingProps {
  label: string;
  text: string;
  button: string;
  saved: string;
  /** Without the date, which is inserted before the extension. */
  name: string;
  extension: string;
  open: (signal: AbortSignal) => Promise<{ body: ReadableStream<Uint8Array<ArrayBuffer>> | null }>;
}

/** Saves a file that the host creates to a destination that the person chooses. */
export function SaveSetting(props: SaveSettingProps) {
  const { label, text, button, name, extension, open } = props;
  const [isSaved, setSaved] = useState(false);
  const action = useAction();
  const save = async () => {
    setSaved(false);
    const date = new Date().toISOString().slice(0, 10);
    await action.run(async () => {
      const target = await chooseSaveTarget(`${name}-${date}.${extension}`);
      if (!target) return;
      const { signal } = new AbortController();
      const { body } = await open(signal);
      if (body) await target.write(body, signal);
      setSaved(true);
    });
  };
  return (
    <>
      <Setting label={label} text={text}>
        {(labelId) => (
          <Button
            size="xs"
            variant="default"
            aria-describedby={labelId}
            loading={action.busy}
            onClick={() => void save()}
          >
            {button}
          </Button>
        )}
      </Setting>
      <p className="plain quiet" role="status" hidden={!isSaved}>
        {props.saved}
      </p>
      {action.error !== null && <ErrorAlert error={action.error} />}
    </>
  );
}
