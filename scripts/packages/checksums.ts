import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that are part of a release. */
const released = /\.(deb|zip|AppImage|rpm|exe|dmg|cdx\.json)$|^update-.*\.json$|^latest.*\.yml$/;

/** Writes `SHA256SUMS` for all release files in a folder, in the format of `sha256sum -c`. */
export function writeChecksums(folder: string): void {
  const lines = readdirSync(folder)
    .filter((name) => released.test(name))
    .sort()
    .map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, name)));
      return `${hash.digest('hex')}  ${name}\n`;
    });
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}
