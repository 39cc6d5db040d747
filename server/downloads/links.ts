import { randomBytes } from 'node:crypto';
import type { Actor } from '#server/auth/contract.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, notFound } from '#server/http/errors.ts';

interface Selection {
  ids: readonly number[];
  sessionId: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const LIFETIME = 5 * 60_000;

/**
 * Chosen items that are about to be downloaded as one ZIP. Thousands of ids do not fit into a link, so they are kept
 * here while the link is good, and only in memory: after a restart, choosing Download again is all it takes.
 */
export function createSelections(use: {
  documents: Pick<Documents, 'views'>;
  actorOfSession: (sessionId: number) => Promise<Actor | null>;
  clock: Clock;
}) {
  const kept = new Map<string, Selection>();

  function forgetOld(now: number): void {
    for (const [token, { expiresAt }] of kept) {
      if (now < expiresAt) break;
      kept.delete(token);
    }
  }

  return {
    /** @returns a link for this session and five minutes. @throws {AppError} 403; 404 when one of the items is not there. */
    async keep(actor: Actor, ids: readonly number[]): Promise<string> {
      const chosen = [...new Set(ids)];
      if ((await use.documents.views(actor, chosen)).length < chosen.length) throw notFound('item');
      const now = use.clock().getTime();
      forgetOld(now);
      const token = randomBytes(18).toString('base64url');
      kept.set(token, { ids: chosen, sessionId: actor.sessionId, expiresAt: now + LIFETIME });
      return `/api/documents/selection?token=${token}`;
    },

    /** @throws {AppError} 403 `bad_link` when the link is not ours, over, or its session has ended. */
    async take(token: string): Promise<{ actor: Actor; ids: readonly number[] }> {
      forgetOld(use.clock().getTime());
      const selection = kept.get(token);
      const actor = selection && (await use.actorOfSession(selection.sessionId));
      if (!actor) {
        const message = 'This download link is not valid any more. Go back and start the download again.';
        throw new AppError(403, 'bad_link', message);
      }
      return { actor, ids: selection.ids };
    },
  };
}
export type Selections = ReturnType<typeof createSelections>;
