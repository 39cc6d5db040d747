import { Client } from 'pg';
import { ADVISORY_LOCKS, namedLock } from './advisory-locks.ts';

/** Takes a lock on a connection of its own. @returns a function that releases it; null while another holder has it. */
async function tryLockOnNewConnection(address: string, keys: string): Promise<(() => Promise<void>) | null> {
  const client = new Client({ connectionString: address, keepAlive: true });
  client.on('error', () => {});
  let locked = false;
  try {
    await client.connect();
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${keys}) AS locked`);
    locked = rows[0].locked;
  } finally {
    if (!locked) await client.end().catch(() => {});
  }
  return locked ? () => client.end() : null;
}

/** `Processes.tryLock` for a command that runs beside the serving processes. */
export const tryLockFromOutside = (address: string, name: string) =>
  tryLockOnNewConnection(address, namedLock(name));

/** Keeps every process on every machine from serving a database. @returns null while one serves it. */
export const lockOutServers = (address: string) =>
  tryLockOnNewConnection(address, String(ADVISORY_LOCKS.server));
