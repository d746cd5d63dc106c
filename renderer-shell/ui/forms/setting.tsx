import type { ReactNode } from 'react';
import { useId } from 'react';

interface SettingProps {
  label: string;
  text: string;
  children: (labelId: string) => ReactNode;
}

/** One line of the settings: name, description and control. */
export function Setting({ label, text, children }: SettingProps) {
  const labelId = useId();
  return (
    <div className="setting">
      <div>
        <p className="setting-label" id={labelId}>
          {label}
        </p>
        <p className="setting-text">{text}</p>
      </div>
      {children(labelId)}
    </div>
  );
}
