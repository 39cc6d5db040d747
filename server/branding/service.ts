import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Sealer } from '#server/db/column-encryption.ts';
import { forbidden, invalid, notFound } from '#server/http/errors.ts';
import { newSecret } from '#server/http/secrets.ts';
import type { LogoView } from './contract.ts';

/** The maximum size of the stored logo: every e-mail contains it. */
const MAX_STORED_BYTES = 96 * 1024;

const NO_PICTURE = 'This is no PNG, JPEG or SVG picture that can be read. Export the logo anew as PNG.';
const TOO_DETAILED = 'This picture has too much detail for a logo. Give a plainer one, or a smaller one.';

interface BrandingDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  seal: Sealer;
  /** Renders a logo-sized PNG in a separate process; null for an unreadable image. */
  render: (bytes: Buffer, firmId: number) => Promise<Buffer | null>;
}

/** The logo of a firm, which people outside recognise. A user who may rename the firm may change it. */
export function createBranding({ db, clock, audit, seal, render }: BrandingDependencies) {
  function requireManage(actor: Actor): void {
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
      requireManage(actor);
      return { url: await urlOfFirm(actor.firmId) };
    },

    /** Sets a PNG, JPEG or SVG as the logo. @throws {AppError} 403; 422 on `file`. */
    async set(actor: Actor, bytes: Buffer): Promise<LogoView> {
      requireManage(actor);
      const image = await render(bytes, actor.firmId);
      if (!image) throw invalid({ file: [NO_PICTURE] });
      if (image.length > MAX_STORED_BYTES) throw invalid({ file: [TOO_DETAILED] });
      // A new address for each logo: browsers cache an address forever.
      const row = { key: newSecret(), sealed_image: seal.seal(image), created_at: clock().toISOString() };
      await db.transaction(async (trx) => {
        await trx('firm_logos')
          .insert({ firm_id: actor.firmId, ...row })
          .onConflict('firm_id')
          .merge();
        await audit.record(trx, { actor, did: 'firm.logo', detail: { bytes: image.length } });
      });
      return { url: urlOf(row.key) };
    },

    /** @throws {AppError} 403. */
    async remove(actor: Actor): Promise<LogoView> {
      requireManage(actor);
      await db.transaction(async (trx) => {
        const deleted = await trx('firm_logos').where({ firm_id: actor.firmId }).delete();
        if (deleted > 0) await audit.record(trx, { actor, did: 'firm.logo_removed' });
      });
      return { url: null };
    },

    /** The public address of the firm's logo; null without one. */
    urlOf: urlOfFirm,

    /** The logo for e-mails; null without one. */
    async imageOf(firmId: number): Promise<Buffer | null> {
      const row: { sealed_image: Buffer } | undefined = await db('firm_logos')
        .where({ firm_id: firmId })
        .first('sealed_image');
      return row ? seal.open(row.sealed_image) : null;
    },

    /** The logo at a public address. @throws {AppError} 404. */
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
