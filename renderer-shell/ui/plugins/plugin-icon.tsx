import { useEffect, useState } from 'react';
import type { IconOwner } from '../../state/plugin-icons.ts';
import { useShell } from '../../state/shell.ts';

/** White letters have a contrast of at least 4.5:1 on each of them. */
const COLOURS = [
  '#3b5bdb',
  '#0b7285',
  '#2b7a3e',
  '#9c36b5',
  '#c2255c',
  '#b4480f',
  '#5f3dc4',
  '#495057',
];

interface PluginIconProps {
  plugin: IconOwner;
  size: number;
}

/** Shows the image of the plugin, or a letter on a color that is constant for its id. */
export function PluginIcon({ plugin, size }: PluginIconProps) {
  const { id, name } = plugin;
  const image = usePluginImage(plugin);
  if (image !== null)
    return <img className="plugin-icon" src={image} width={size} height={size} alt="" />;
  return (
    <svg
      className="plugin-icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <rect width="24" height="24" rx="5" fill={colourOf(id)} />
      <text x="12" y="16.6" textAnchor="middle" fontSize="13" fontWeight="600" fill="#fff">
        {letterOf(name, id)}
      </text>
    </svg>
  );
}

function usePluginImage({ id, name, icon, installed, enabled, installedVersion }: IconOwner) {
  const { icons } = useShell();
  const [image, setImage] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const owner = { id, name, icon, installed, enabled, installedVersion };
    void icons.find(owner).then((found) => isCurrent && setImage(found));
    return () => void (isCurrent = false);
  }, [icons, id, name, icon, installed, enabled, installedVersion]);
  return image;
}

function colourOf(id: string): string {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return COLOURS[sum % COLOURS.length] ?? '#495057';
}

const letterOf = (name: string, id: string): string =>
  (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? id.charAt(0)).toUpperCase();
