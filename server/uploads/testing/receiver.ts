import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { openOnDisk } from '#server/testing/on-disk.ts';
import { buildApp } from '../../app.ts';

// A process to be killed: serves the data folder, and says on which port.
const [dataDir = ''] = process.argv.slice(2);
const { db, services } = await openOnDisk(dataDir);
const app = buildApp({
  services,
  vault: { db, secret: createHash('sha256').update('a key of tests').digest() },
  log: pino({ level: 'silent' }),
  config: {
    baseUrl: 'http://localhost:3000',
    trustProxy: [],
    appName: 'Almirah',
    contactEmail: 'help@example.in',
  },
});
services.start();
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
