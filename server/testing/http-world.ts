import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { Router } from '@koa/router';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { authRoutes } from '../auth/routes.ts';
import { securityRoutes } from '../auth/security-routes.ts';
import type { Auth } from '../auth/service.ts';
import { createApp } from '../http/app.ts';
import type { AppDependencies } from '../http/app.ts';
import { logOptions } from '../serving/log.ts';
import type { Message } from '../mail/transport.ts';
import { Visitor } from './visitor.ts';
import type { WorldOptions } from './world.ts';
import { freshWorld } from './world.ts';

export const ASHA = {
  name: 'Asha Rao',
  email: 'asha@rao.in',
  password: 'correct horse battery',
  password_confirmation: 'correct horse battery',
  ca_license_number: 'MRN 123456',
  phone: '9876543210',
  firm_name: 'Rao & Associates',
  terms_accepted: true,
};

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

export interface HttpWorld {
  db: Knex;
  auth: Auth;
  base: string;
  /** All lines of the request log. */
  logged: string[];
  /** Advances the clock. */
  advance(milliseconds: number): void;
  now(): Date;
  /** Delivers due e-mails. @returns all e-mails since the beginning. */
  deliverMail(): Promise<Message[]>;
  visitor(): Promise<Visitor>;
  /** A registered visitor, with the bearer token. */
  asha(): Promise<Visitor & { token: string }>;
  close(): Promise<void>;
}

type Options = Partial<
  Pick<
    AppDependencies,
    'config' | 'csrfExcept' | 'health' | 'ready' | 'assets' | 'pages' | 'writes' | 'metrics'
  >
> & {
  /** Added to the routes of the accounts. */
  routes?: Router[];
  /** Whether rate limits apply; off by default. */
  limits?: boolean;
  /** What takes e-mails out of the machine. */
  transport?: WorldOptions['transport'];
};

/** The middleware chain and the account routes on a real socket, without the other features. */
export async function openHttpWorld({
  routes = [],
  limits = false,
  transport,
  ...parts
}: Options = {}): Promise<HttpWorld> {
  const world = await freshWorld({ abuseLimits: limits, ...(transport && { transport }) });
  const { db, secret, services } = world;
  const logged: string[] = [];
  const sink = new Writable({
    write(line: Buffer, _encoding, done) {
      logged.push(String(line));
      done();
    },
  });
  const app = createApp({
    config: { baseUrl: 'http://vault.test', trustProxy: [] },
    health: async () => [],
    ...parts,
    log: pino({ ...logOptions, level: 'debug' }, sink),
    secret,
    identity: services.auth,
    routes: [authRoutes(services.auth, services.team), securityRoutes(services.auth), ...routes],
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const visitor = () => new Visitor(base).arrive();
  return {
    db,
    auth: services.auth,
    base,
    logged,
    advance: world.advance,
    now: world.now,
    deliverMail: world.deliverMail,
    visitor,
    async asha() {
      const asha = await visitor();
      const { json } = await asha.post('/api/auth/register', ASHA);
      return Object.assign(asha, { token: json.data.token as string });
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await world.close();
    },
  };
}
