import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Sealer } from '#server/datadir/sealing.ts';
import { forbidden, invalid, notFound } from '#server/http/errors.ts';
import { newSecret } from '#server/http/secrets.ts';
import type { LogoView } from './contract.ts';

/** Bytes of the picture that is kept: it goes along with every e-mail. */
const KEPT_MAX = 96 * 1024;

const NO_PICTURE = 'This is no PNG, JPEG or SVG picture that can be read. Export the logo anew as PNG.';
const TOO_RICH = 'This picture has too much detail for a logo. Give a plainer one, or a smaller one.';

export interface BrandingParts {
  db: Knex;
  clock: Clock;
  audit: Audit;
  seal: Sealer;
  /** PNG of the size of a logo, made in a process of its own; null for what is no picture. */
  drawn: (bytes: Buffer, firmId: number) => Promise<Buffer | null>;
}

/** By what people outside know a firm again: its logo. Who changes it is who changes the firm's name. */
export function createBranding({ db, clock, audit, seal, drawn }: BrandingParts) {
  function demand(actor: Actor): void {
    if (!may(actor, 'team.manage')) throw forbidden();
  }
  const urlOf = (key: string): string => `/logo/${key}`;

  async function urlOfFirm(firmId: number): Promise<string | null> {
    const row: { key: string } | undefined = await db('firm_logos').where({ firm_id: firmId }).first('key');
    return row ? urlOf(row.key) : null;
  }

  return {
    /** @throws {AppError} 403. */
    async view(actor: Actor): Promise<LogoView> {
      demand(actor);
      return { url: await urlOfFirm(actor.firmId) };
    },

    /** Takes a PNG, JPEG or SVG as the logo from now on. @throws {AppError} 403; 422 on `file`. */
    async set(actor: Actor, bytes: Buffer): Promise<LogoView> {
      demand(actor);
      const picture = await drawn(bytes, actor.firmId);
      if (!picture) throw invalid({ file: [NO_PICTURE] });
      if (picture.length > KEPT_MAX) throw invalid({ file: [TOO_RICH] });
      // Another address each time: browsers keep the picture of one for good.
      const row = { key: newSecret(), sealed_image: seal.seal(picture), created_at: clock().toISOString() };
      await db.transaction(async (trx) => {
        await trx('firm_logos')
          .insert({ firm_id: actor.firmId, ...row })
          .onConflict('firm_id')
          .merge();
        await audit.record(trx, { actor, did: 'firm.logo', detail: { bytes: picture.length } });
      });
      return { url: urlOf(row.key) };
    },

    /** @throws {AppError} 403. */
    async remove(actor: Actor): Promise<LogoView> {
      demand(actor);
      await db.transaction(async (trx) => {
        const gone = await trx('firm_logos').where({ firm_id: actor.firmId }).delete();
        if (gone > 0) await audit.record(trx, { actor, did: 'firm.logo_removed' });
      });
      return { url: null };
    },

    /** Where people outside find the firm's logo. */
    urlOf: urlOfFirm,

    /** The picture, for e-mails; null without one. */
    async imageOf(firmId: number): Promise<Buffer | null> {
      const row: { sealed_image: Buffer } | undefined = await db('firm_logos')
        .where({ firm_id: firmId })
        .first('sealed_image');
      return row ? seal.open(row.sealed_image) : null;
    },

    /** The picture at an address. @throws {AppError} 404. */
    async imageAt(key: string): Promise<Buffer> {
      const row: { sealed_image: Buffer } | undefined = await db('firm_logos')
        .where({ key })
        .first('sealed_image');
      if (!row) throw notFound('page');
      return seal.open(row.sealed_image);
    },
  };
}
export type Branding = ReturnType<typeof createBranding>;
