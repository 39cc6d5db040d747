import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Actor } from '#server/actor.ts';
import type { Change, Sight } from './changes.ts';
import { merged, piecesFor } from './changes.ts';
import type { EndReason, EventName } from './contract.ts';

/** A connection, as the hub sees it. */
export interface Line {
  send(text: string): void;
  /** Sends the last words and closes. */
  end(text: string): void;
}

export interface Reader {
  actor: Actor;
  sight: Sight | null;
  line: Line;
}

interface Told {
  seq: number;
  firmId: number;
  /** The session that has made the changes; it knows. */
  by: number | null;
  changes: Change[];
}

export interface HubLimits {
  /** Connections of one user and of one firm; the oldest makes way. */
  perUser: number;
  perFirm: number;
  /** What was told last, for those who come back. */
  kept: number;
  /** In ms: what changes within it is told together. */
  gather: number;
}
export const LIMITS: HubLimits = { perUser: 30, perFirm: 500, kept: 2000, gather: 200 };

const eventText = (name: EventName, data: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Where a reader is, in words that tell nothing: numbers would show how much happens that the reader may not see.
 * @param key of those who know what was missed: of one process, or of all that serve a vault.
 */
function createPlaces(key: Buffer) {
  return {
    seal(seq: number): string {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-128-gcm', key, nonce);
      const plain = Buffer.alloc(6);
      plain.writeUIntBE(seq, 0, 6);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      );
    },
    /** Null for what was not given out with this key. */
    open(text: string): number | null {
      const sealed = Buffer.from(text, 'base64url');
      if (sealed.length !== 34) return null;
      const decipher = createDecipheriv('aes-128-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
      decipher.setAuthTag(sealed.subarray(18));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(12, 18)), decipher.final()]).readUIntBE(0, 6);
      } catch {
        return null;
      }
    },
  };
}

export interface HubParts {
  limits?: HubLimits | undefined;
  key?: Buffer | undefined;
  /** The place before the first that is heard. */
  place?: number;
  /** Tells every hub of the vault, which `hear`; left out, there is only this one. */
  spread?: (told: Omit<Told, 'seq'>) => void;
}

/** Who listens, by firm, and what was told last. Knows nothing of HTTP, and nothing of what changes. */
export function createHub({ limits = LIMITS, key = randomBytes(16), place = 0, ...use }: HubParts = {}) {
  const places = createPlaces(key);
  const firms = new Map<number, Set<Reader>>();
  const waiting = new Map<
    number,
    { groups: Map<number | null, Change[]>; timer: NodeJS.Timeout | undefined }
  >();
  const ring: Told[] = [];
  let seq = place;
  /** The first of which it is known what was told. */
  let oldest = place + 1;
  const spread = use.spread ?? ((told) => hear({ ...told, seq: seq + 1 }));

  const readersOf = (firmId: number): ReadonlySet<Reader> => firms.get(firmId) ?? new Set();

  const textFor = ({ actor, sight }: Pick<Reader, 'actor' | 'sight'>, told: Told): string | null => {
    if (told.by === actor.sessionId) return null;
    const pieces = piecesFor(told.changes, actor.userId, sight);
    return pieces.length > 0 ? eventText('change', pieces, places.seal(told.seq)) : null;
  };

  function hear(told: Told): void {
    const { firmId, by } = told;
    seq = told.seq;
    ring.push(told);
    if (ring.length > limits.kept) oldest = ring.shift()!.seq + 1;
    // For most readers it is the same text.
    const personal = told.changes.some(({ userId }) => userId !== undefined);
    let common: string | null | undefined;
    for (const reader of readersOf(firmId)) {
      if (reader.actor.sessionId === by) continue;
      const text =
        reader.sight === null && !personal ? (common ??= textFor(reader, told)) : textFor(reader, told);
      if (text !== null) reader.line.send(text);
    }
  }

  function flush(firmId: number): void {
    const gathered = waiting.get(firmId);
    if (!gathered) return;
    if (gathered.groups.size === 0) return void waiting.delete(firmId);
    const groups = [...gathered.groups];
    gathered.groups.clear();
    for (const [by, changes] of groups) spread({ firmId, by, changes: merged(changes) });
    gathered.timer = setTimeout(flush, limits.gather, firmId).unref();
  }

  function drop(reader: Reader): boolean {
    const all = firms.get(reader.actor.firmId);
    if (!all?.delete(reader)) return false;
    if (all.size === 0) firms.delete(reader.actor.firmId);
    return true;
  }

  function end(reader: Reader, why: EndReason): void {
    if (drop(reader)) reader.line.end(eventText('end', why));
  }

  return {
    /** Tells what has been committed: at once, or together with what came just before. */
    announce(firmId: number, by: number | null, changes: readonly Change[]): void {
      if (changes.length === 0) return;
      const gathered = waiting.get(firmId) ?? {
        groups: new Map<number | null, Change[]>(),
        timer: undefined,
      };
      waiting.set(firmId, gathered);
      const group = gathered.groups.get(by) ?? [];
      group.push(...changes);
      // A thousand files that are put in at once are as good as one.
      gathered.groups.set(by, group.length > 50 ? merged(group) : group);
      if (!gathered.timer) flush(firmId);
    },

    /** Adds a reader, and tells what was missed since `lastId`. */
    join(reader: Reader, lastId: string | undefined): void {
      const all = firms.get(reader.actor.firmId) ?? new Set();
      firms.set(reader.actor.firmId, all);
      const { userId } = reader.actor;
      const own = [...all].filter(({ actor }) => actor.userId === userId);
      if (own.length >= limits.perUser) end(own[0]!, 'crowded');
      else if (all.size >= limits.perFirm) end(all.values().next().value!, 'crowded');
      // An emptied set is no longer the firm's.
      firms.set(reader.actor.firmId, all);
      all.add(reader);
      const now = places.seal(seq);
      const at = lastId === undefined ? null : places.open(lastId);
      const known = at !== null && at >= oldest - 1;
      if (lastId !== undefined && !known) return reader.line.send(eventText('reset', null, now));
      let text = '';
      if (known)
        for (const told of ring)
          if (told.seq > at && told.firmId === reader.actor.firmId) text += textFor(reader, told) ?? '';
      reader.line.send(`${text}${eventText('ready', null, now)}`);
    },

    /** Where a reader would be who joined now. */
    now: (): string => places.seal(seq),

    /** What this hub or another has spread. */
    hear,

    /** Nobody knows what was told up to this place: all readers look at everything anew. */
    forget(upTo: number): void {
      ring.length = 0;
      seq = upTo;
      oldest = upTo + 1;
      for (const reader of this.readers()) reader.line.send(eventText('reset', null, places.seal(seq)));
    },

    drop,
    end,

    /** The reader's rights have changed: from now on it is told what they allow. */
    renew(reader: Reader, actor: Actor, sight: Sight | null): void {
      Object.assign(reader, { actor, sight });
      reader.line.send(eventText('session', null));
    },

    readers: (firmId?: number): Reader[] =>
      firmId === undefined ? [...firms.values()].flatMap((all) => [...all]) : [...readersOf(firmId)],

    stop(): void {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
      for (const reader of this.readers()) end(reader, 'stopping');
    },
  };
}
