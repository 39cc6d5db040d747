import { onPostgres } from './dialect.ts';
import * as postgres from './postgres/integrity.ts';
import * as sqlite from './sqlite/integrity.ts';

/** Checks the database's own structure and its foreign keys. @returns the faults as sentences; empty if there are none. */
export const integrityFaults = (onPostgres ? postgres : sqlite).integrityFaults;
