import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a release consists of. */
const released = /\.(deb|zip|AppImage|rpm|exe|dmg|cdx\.json)$|^update-.*\.json$|^latest.*\.yml$/;

/** `SHA256SUMS` of everything in the folder that is handed out, as `sha256sum -c` reads it. */
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
