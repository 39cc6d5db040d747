import type { Knex } from 'knex';
import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import type { DriveSetting } from '#server/auth/app-passwords/contract.ts';
import type { Records } from '#server/records/service.ts';
import type { Subscription } from '#server/subscription/service.ts';
import { seesAll } from '#server/visibility/visible.ts';
import { createDeadProperties } from './dead-properties.ts';
import { lock, unlock } from './lock-methods.ts';
import { createLocks } from './locks.ts';
import type { DavDependencies, Method } from './dependencies.ts';
import { propfind } from './propfind.ts';
import { proppatch } from './proppatch.ts';
import { createScratchFiles } from './scratch-files.ts';
import { read } from './read.ts';
import { copy, move } from './transfer.ts';
import { createTree } from './tree.ts';
import { mkcol, put, remove } from './write.ts';

/** The vault as a WebDAV drive (RFC 4918), class 1 and 2. */
export function createDav(
  injected: Omit<DavDependencies, 'tree' | 'scratch' | 'locks' | 'deadProperties' | 'hosts' | 'room'> & {
    db: Knex;
    records: Pick<Records, 'used'>;
    subscription: Pick<Subscription, 'limitsOf'>;
    setting: DriveSetting;
    baseUrl: string;
  },
) {
  const { db, clock, documents, blobs, setting, baseUrl } = injected;
  const scratch = createScratchFiles({ db, blobs, clock });
  const dependencies: DavDependencies = {
    ...injected,
    scratch,
    tree: createTree({ documents, scratch }),
    locks: createLocks({ db, clock, documents }),
    deadProperties: createDeadProperties({ db }),
    hosts: (ctx: Context) => [ctx.host.toLowerCase(), new URL(baseUrl).host],
    async room(actor: Actor) {
      if (!seesAll(actor)) return null;
      const [{ bytes }, used] = await Promise.all([
        injected.subscription.limitsOf(actor),
        injected.records.used(actor.firmId),
      ]);
      return { used, left: Math.max(0, bytes - used) };
    },
  };
  const methods: Record<string, Method> = {
    PROPFIND: propfind(dependencies),
    GET: read(dependencies),
    HEAD: read(dependencies),
    PUT: put(dependencies),
    DELETE: remove(dependencies),
    MKCOL: mkcol(dependencies),
    COPY: copy(dependencies),
    MOVE: move(dependencies),
    PROPPATCH: proppatch(dependencies),
    LOCK: lock(dependencies),
    UNLOCK: unlock(dependencies),
  };
  return { setting, methods, identify: injected.appPasswords.identify };
}
export type Dav = ReturnType<typeof createDav>;
