import type { DatabaseForm } from '../../contract/index.ts';
import { wireText } from '../../messages/index.ts';
import type { DatabaseType } from '../../platform/database/database-config.ts';
import type { Engines } from '../../platform/database/engines.ts';
import { databaseTypes, supportedTypes } from '../../platform/database/database-types.ts';

type Field = DatabaseForm['fields'][number];

const fileField: Field = {
  name: 'filePath',
  label: 'Database file',
  kind: 'path',
  required: false,
  placeholder: 'Leave empty to use the working directory',
};

function serverFields(defaultPort: number): Field[] {
  return [
    { name: 'host', label: 'Host', kind: 'text', required: true, default: 'localhost' },
    { name: 'port', label: 'Port', kind: 'number', required: false, default: defaultPort },
    { name: 'database', label: 'Database', kind: 'text', required: true },
    { name: 'username', label: 'Username', kind: 'text', required: true },
    { name: 'password', label: 'Password', kind: 'password', required: false },
    {
      name: 'ssl',
      label: 'Encrypted connection (TLS)',
      kind: 'switch',
      required: false,
      default: false,
    },
    {
      name: 'sslCa',
      label: 'CA certificate file',
      kind: 'path',
      required: false,
      placeholder: 'Leave empty to skip certificate verification',
    },
  ];
}

/** Returns the form of the wizard for each database type. */
export function databaseForms(engines: Engines): Promise<DatabaseForm[]> {
  return Promise.all(supportedTypes.map((type) => formOf(type, engines)));
}

async function formOf(type: DatabaseType, engines: Engines): Promise<DatabaseForm> {
  const { label, embedded, defaultPort } = databaseTypes[type];
  const fields = embedded ? [fileField] : serverFields(defaultPort ?? 0);
  const unavailable = await engines[type].unavailable();
  return {
    type,
    label,
    embedded,
    fields,
    ...(unavailable ? wireText('unavailable', unavailable) : {}),
  };
}
