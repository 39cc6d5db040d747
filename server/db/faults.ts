import { onPostgres } from './dialect.ts';
import * as postgres from './postgres/faults.ts';
import * as sqlite from './sqlite/faults.ts';

/** What the database says against itself, and rows that point to rows which are not there. */
export const structureFaults = (onPostgres ? postgres : sqlite).structureFaults;
