import { from } from './requirement.ts';

export const setup = [
  ...from('What the service does', {
    'SETUP-01':
      'In SETUP mode only the first-launch wizard endpoints (and health) exist; every other API path is absent.',
    'SETUP-02': 'In APP mode the full stack of endpoints exists.',
    'SETUP-03': 'Until a datasource is configured the process runs in SETUP mode.',
  }),
  ...from('Setup (SETUP mode only, no token)', {
    'SETUP-04':
      '`GET /api/setup/status` answers `{initialized, supportedTypes[], embeddedTypes[]}`.',
    'SETUP-05': '`GET /api/setup/types` answers the form metadata of every database backend.',
    'SETUP-06':
      '`POST /api/setup/test-connection` `{type, params}` answers the result of the test, for a working and for a failing connection.',
    'SETUP-07': '`POST /api/setup/test-connection` persists nothing.',
    'SETUP-08':
      '`POST /api/setup/initialize` `{type, params}` tests the connection again before it writes anything.',
    'SETUP-09':
      '`POST /api/setup/initialize` with a connection that works persists the configuration and restarts into APP mode.',
    'SETUP-10':
      '`DELETE /api/setup/config` backs up and clears the configuration and restarts into SETUP mode.',
    'SETUP-11':
      'The wizard order status, types, test-connection, initialize leads a fresh installation from SETUP to APP.',
  }),
  ...from('Run mode', {
    'SETUP-12':
      '`POST /api/setup/initialize` whose connection test fails leaves the process in SETUP mode with nothing persisted.',
  }),
  ...from('Run mode; Errors', {
    'SETUP-13':
      'When a configuration exists but the startup probe (`SELECT 1`) fails, the process comes up in SETUP mode rather than failing.',
  }),
  ...from('Run mode', {
    'SETUP-14': 'After a failed startup probe the configuration is backed up to a `.bak` sibling.',
  }),
  ...from('Run mode; Settings', {
    'SETUP-15':
      '`POST /api/settings/database/reset` backs up `datasource.properties` to a `.bak` sibling, clears it and restarts into SETUP mode.',
  }),
  ...from('datasource.properties', {
    'SETUP-16':
      'The configuration is the file `<working-directory>/.host/config/datasource.properties`.',
    'SETUP-17': 'Embedded data files default to `<working-directory>/.host/database/host`.',
    'SETUP-18':
      '`db.type` is `H2`, `SQLITE`, `MYSQL` or `POSTGRESQL`; H2 and SQLITE are embedded, MYSQL and POSTGRESQL external.',
    'SETUP-19': 'With `db.type` `SQLITE` the full stack runs on an embedded SQLite file.',
    'SETUP-20': 'With `db.type` `H2` the full stack runs on an embedded H2 file.',
    'SETUP-21': 'With `db.type` `MYSQL` the full stack runs on an external MySQL server.',
    'SETUP-22': 'With `db.type` `POSTGRESQL` the full stack runs on an external PostgreSQL server.',
    'SETUP-23': '`db.url` holds the JDBC URL.',
    'SETUP-24': '`db.driver` holds the JDBC driver class.',
    'SETUP-25': '`db.dialect` holds the Hibernate dialect.',
    'SETUP-26': '`db.username` holds the name of the database user.',
    'SETUP-27': '`db.password` is AES/GCM encrypted and wrapped `ENC(...)`.',
    'SETUP-28': '`db.file.path` holds the file location of an embedded backend.',
    'SETUP-29': 'On the first start in APP mode a virtual local admin user with id 1 is created.',
    'SETUP-30': 'Conversations and other records attach to the virtual admin user with id 1.',
  }),
];
