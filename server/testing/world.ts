import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { pino } from 'pino';
import type { BlobStore } from '#storage/blobs.ts';
import { createMemoryBytes } from '#storage/memory.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { createSealedBlobs } from '#storage/sealed.ts';
import { buildApp } from '../app.ts';
import type { AppDependencies } from '../app.ts';
import type { Config } from '../config/config.ts';

import type { Message, Transport } from '../mail/transport.ts';
import type { Machine } from '../system/machine.ts';
import type { Services } from '../services.ts';
import { compose } from '../services.ts';
import type { Build } from './build.ts';
import { createBuild } from './build.ts';
import { cheapPasswords } from './passwords.ts';
import { migratedDatabase } from './template.ts';

/** Start date of every test, unless it sets another. */
export const TODAY = new Date('2026-11-20T10:00:00.000Z');

/** The id of the data folder that every test's office has. */
export const DATA_FOLDER_ID = '0123456789abcdef0123456789abcdef';

/** A complete office for one test: database, blobs, clock and all services. */
export interface World {
  db: Knex;
  blobs: BlobStore;
  services: Services;
  build: Build;
  secret: Buffer;
  /** Delivers due e-mails. @returns all e-mails since the beginning. */
  deliverMail(): Promise<Message[]>;
  now(): Date;
  /** Advances the clock; the server counts this as running time. */
  advance(ms: number): void;
  /** Shifts the clock without counting running time. */
  shiftClock(ms: number): void;
  /** Lets the clock advance by this much at every reading, as time passes between the steps of real work. */
  tick(ms: number): void;
  /**
   * Serves the office on this port, or on a free one.
   * @returns the base URL, without a trailing slash.
   */
  serve(parts?: Pick<AppDependencies, 'site'> & { port?: number }): Promise<string>;
  close(): Promise<void>;
}

export interface WorldOptions extends Partial<
  Pick<
    Config,
    | 'gateway'
    | 'invoicing'
    | 'trashDays'
    | 'reading'
    | 'scans'
    | 'versions'
    | 'clamd'
    | 'installationAdmins'
    | 'portalKeys'
    | 'baseUrl'
    | 'registration'
    | 'desktopDir'
  >
> {
  machine?: Machine;
  /** The mail transport; by default e-mails are collected. */
  transport?: Transport;
  blobs?: BlobStore;
  abuseLimits?: boolean;
}

export const memoryBlobs = (): BlobStore =>
  createSealedBlobs(createMemoryBytes(), deriveMasterKey(randomBytes(32)));

export async function freshWorld({
  blobs = memoryBlobs(),
  abuseLimits = true,
  machine,
  transport,
  ...billing
}: WorldOptions = {}): Promise<World> {
  const db = await migratedDatabase();
  let now = TODAY.getTime();
  let ran = 0;
  let step = 0;
  const clock = () => new Date((now += step));
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const secret = randomBytes(32);
  const emails: Message[] = [];
  const services = compose({
    db,
    blobs,
    clock,
    ticks: () => ran,
    log,
    secret,
    dataFolderId: DATA_FOLDER_ID,
    passwords: cheapPasswords,
    transport: transport ?? {
      sends: true,
      means: 'mail is kept',
      deliver: async (email) => void emails.push(email),
      close: () => {},
    },
    ...(machine && { machine }),
    config: { abuseLimits, ...billing },
  });
  const servers: Server[] = [];
  return {
    db,
    blobs,
    services,
    build: createBuild({ services, blobs, db }),
    secret,
    async deliverMail() {
      await services.invoices.sendIssued();
      await services.mail.deliver();
      return emails;
    },
    now: clock,
    advance(ms) {
      now += ms;
      ran += Math.max(0, ms);
    },
    shiftClock(ms) {
      now += ms;
    },
    tick(ms) {
      step = ms;
    },
    async serve({ site, port = 0 } = {}) {
      const config = {
        baseUrl: billing.baseUrl ?? 'http://localhost:3000',
        trustProxy: [],
        appName: 'Almirah',
        contactEmail: 'help@example.in',
        abuseLimits,
      };
      const app = buildApp({ services, vault: { db, secret }, log, config, ...(site && { site }) });
      const server = await new Promise<Server>((resolve, reject) => {
        const listening = app.listen(port, '127.0.0.1', () => resolve(listening)).once('error', reject);
      });
      servers.push(server);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    async close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
      await services.stop();
      await db.destroy();
    },
  };
}

export const bytes = (content: string | Buffer): Readable => Readable.from([Buffer.from(content)]);
