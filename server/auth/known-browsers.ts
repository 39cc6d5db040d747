import type { Knex } from 'knex';
import { deviceName } from '#server/http/browsers.ts';
import { networkOf } from '#server/http/network.ts';
import { networkName } from '#server/http/network-name.ts';
import type { Origin } from '#server/http/context.ts';
import { notFound } from '#server/http/errors.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Actor } from '#server/actor.ts';
import type { DeviceView } from './contract.ts';
import { fingerprint } from '#server/http/secrets.ts';
import { endPairing } from './paired-programs/end.ts';
import type { Sessions } from './sessions.ts';

const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60_000;

interface Row {
  id: number;
  ip: string;
  user_agent: string;
  created_at: string;
  last_used_at: string;
}

/** A browser without the device cookie is recognised by its name and network. */
const deviceHash = ({ device, userAgent, ip }: Origin): string =>
  fingerprint(device ? `device ${device}` : `place ${deviceName(userAgent)} ${networkOf(ip)}`);

export function createKnownBrowsers({
  db,
  clock,
  audit,
  sessions,
}: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  sessions: Sessions;
}) {
  return {
    /** Records a sign-in on this device. @returns true when the device is new and not the first of the user. */
    async recordSignIn(trx: Knex.Transaction, userId: number, origin: Origin): Promise<boolean> {
      const ofUser = { user_id: userId };
      const device = { ...ofUser, device_hash: deviceHash(origin) };
      const usage = { last_seen_at: clock().toISOString() };
      if ((await trx('known_devices').where(device).update(usage)) > 0) return false;
      const anyKnown = await trx('known_devices').where(ofUser).first('user_id');
      await trx('known_devices').insert({ ...device, ...usage });
      return anyKnown !== undefined;
    },

    /** The devices on which the user is signed in: the current one first, then by last use. */
    async list(actor: Actor, here: string): Promise<DeviceView[]> {
      const rows: Row[] = await sessions
        .unexpired(db)
        .where({ user_id: actor.userId })
        .select('id', 'ip', 'user_agent', 'created_at', 'last_used_at')
        .orderBy('last_used_at', 'desc');
      const views = rows.map(({ id, ip, user_agent, created_at, last_used_at }) => ({
        id,
        name: deviceName(user_agent),
        place: networkName(ip, here),
        signed_in_at: created_at,
        last_used_at,
        is_current: id === actor.sessionId,
      }));
      return views.toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
    },

    /** @throws {AppError} 404 unless the session is the actor's. */
    async signOut(actor: Actor, sessionId: number): Promise<void> {
      await db.transaction(async (trx) => {
        const ownRow = { id: sessionId, user_id: actor.userId };
        const ended: { user_agent: string } | undefined = await trx('sessions')
          .where(ownRow)
          .first('user_agent');
        if (!ended) throw notFound('device');
        await trx('sessions').where(ownRow).delete();
        await endPairing(trx, actor.userId);
        const [subject, detail] = [`session:${sessionId}`, { name: deviceName(ended.user_agent) }];
        await audit.record(trx, { actor, did: 'auth.sign_out_device', subject, detail });
      });
    },

    /** @returns the number of ended sessions. */
    signOutOthers: (actor: Actor): Promise<number> =>
      db.transaction(async (trx) => {
        const ended = await sessions.endAll(trx, actor.userId, { except: actor.sessionId });
        await audit.record(trx, { actor, did: 'auth.sign_out_others', detail: { ended_sessions: ended } });
        return ended;
      }),

    sweep: (): Promise<number> =>
      db('known_devices')
        .where('last_seen_at', '<', new Date(clock().getTime() - TWO_YEARS_MS).toISOString())
        .delete(),
  };
}
