import { randomUUID } from 'node:crypto';
import type { FileRef, PluginManifest } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import type { Grant } from './grant.ts';
import { checkUnchanged } from './native-grants.ts';
import { replaceGrants } from './replace-grants.ts';
import { msg } from '../../../messages/index.ts';

const maxGrants = 1_000;

type FileAccess = FileRef['access'];

type Owner = Pick<PluginManifest, 'id' | 'name' | 'permissions'>;

/** The grants of each plugin. In memory only: none outlives the host. */
export class FileGrants {
  private readonly grants = new Map<string, Map<string, Grant>>();

  /** @throws HostError 409 `too_many_grants` */
  checkCapacity(plugin: Owner): void {
    if ((this.grants.get(plugin.id)?.size ?? 0) < maxGrants) return;
    const message = msg('plugins.tooManyGrants', { name: plugin.name, limit: maxGrants });
    throw new HostError('conflict', 'too_many_grants', message);
  }

  add(pluginId: string, grant: Grant): FileRef {
    const id = `ref_${randomUUID()}`;
    const own = this.grants.get(pluginId) ?? new Map<string, Grant>();
    this.grants.set(pluginId, own.set(id, grant));
    return refOf(id, grant);
  }

  list(pluginId: string): FileRef[] {
    return [...(this.grants.get(pluginId) ?? [])].map(([id, grant]) => refOf(id, grant));
  }

  /** @throws HostError 404 `unknown_grant`, also for a grant of another plugin */
  get(pluginId: string, id: string): Grant {
    const grant = this.grants.get(pluginId)?.get(id);
    if (grant) return grant;
    const message = msg('plugins.unknownGrant');
    throw new HostError('missing', 'unknown_grant', message);
  }

  /**
   * Returns `params` with every grant replaced by its path, mapped by `seen`.
   * @throws HostError 404 `unknown_grant`, 403 `grant_mismatch` or `missing_permission`, 409
   * `grant_changed`
   */
  async resolve(
    plugin: Owner,
    params: unknown,
    seen: (grant: Grant, id: string) => string,
  ): Promise<unknown> {
    const used = new Set<Grant>();
    const resolved = replaceGrants(params, ({ id, kind, access }) => {
      const grant = this.get(plugin.id, id);
      used.add(grant);
      if (grant.kind !== kind || grant.access !== access) {
        const message = msg('plugins.grantMismatch');
        throw new HostError('forbidden', 'grant_mismatch', message);
      }
      checkAccess(plugin, grant.access);
      return seen(grant, id);
    });
    for (const grant of used) await checkUnchanged(grant);
    return resolved;
  }

  /** Returns the grants that are not copies, with their ids. */
  natives(pluginId: string): [string, Grant][] {
    return [...(this.grants.get(pluginId) ?? [])].filter(([, { native }]) => native !== undefined);
  }

  /** Removes a grant. Returns undefined if it was already revoked. */
  take(pluginId: string, id: string): Grant | undefined {
    const grant = this.grants.get(pluginId)?.get(id);
    this.grants.get(pluginId)?.delete(id);
    return grant;
  }

  drop(pluginId: string): void {
    this.grants.delete(pluginId);
  }
}

function refOf(id: string, { name, kind, access, size }: Grant): FileRef {
  return { id, name, kind, access, size };
}

const needed = {
  read: ['files.read'],
  write: ['files.write'],
  'read-write': ['files.read', 'files.write'],
} as const satisfies Record<FileAccess, readonly string[]>;

/** @throws HostError 403 `missing_permission` */
export function checkAccess({ name, permissions }: Owner, access: FileAccess): void {
  const lacking = needed[access].filter((permission) => !permissions.includes(permission));
  if (lacking.length === 0) return;
  const message = msg('plugins.missingPermission', { name, permissions: lacking });
  throw new HostError('forbidden', 'missing_permission', message);
}
