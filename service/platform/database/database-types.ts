import type { DatabaseType } from './database-config.ts';

/** Facts about a database type. */
export interface DatabaseTypeInfo {
  /** Display name. */
  label: string;
  /** True if the database is a file that the host opens itself. */
  embedded: boolean;
  /** Names that `datasource.properties` needs for JDBC. */
  jdbc: { prefix: string; driver: string; dialect: string };
  defaultPort?: number;
  /** Default user of an embedded type with users. */
  defaultUser?: string;
  /** Extension of the default file of an embedded type. */
  extension?: string;
}

export const databaseTypes: Record<DatabaseType, DatabaseTypeInfo> = {
  H2: {
    label: 'H2',
    embedded: true,
    jdbc: {
      prefix: 'jdbc:h2:file:',
      driver: 'org.h2.Driver',
      dialect: 'org.hibernate.dialect.H2Dialect',
    },
    extension: '',
    defaultUser: 'sa',
  },
  SQLITE: {
    label: 'SQLite',
    embedded: true,
    jdbc: {
      prefix: 'jdbc:sqlite:',
      driver: 'org.sqlite.JDBC',
      dialect: 'org.hibernate.community.dialect.SQLiteDialect',
    },
    extension: '.db',
  },
  MYSQL: {
    label: 'MySQL',
    embedded: false,
    jdbc: {
      prefix: 'jdbc:mysql:',
      driver: 'com.mysql.cj.jdbc.Driver',
      dialect: 'org.hibernate.dialect.MySQLDialect',
    },
    defaultPort: 3306,
  },
  POSTGRESQL: {
    label: 'PostgreSQL',
    embedded: false,
    jdbc: {
      prefix: 'jdbc:postgresql:',
      driver: 'org.postgresql.Driver',
      dialect: 'org.hibernate.dialect.PostgreSQLDialect',
    },
    defaultPort: 5432,
  },
};

export const supportedTypes = Object.keys(databaseTypes) as DatabaseType[];
export const embeddedTypes = supportedTypes.filter((type) => databaseTypes[type].embedded);
