import type { Actor } from '#server/actor.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import type { RequestTemplate, SaveTemplate } from './contract.ts';
import type { RequestsDependencies } from './dependencies.ts';
import { requireAsk } from './policy.ts';
import { BUILT_IN_TEMPLATES } from './builtin-templates.ts';

/** Templates per firm. */
const MAX_OWN_TEMPLATES = 100;

type SaveInput = Omit<SaveTemplate, 'replace'> & Partial<Pick<SaveTemplate, 'replace'>>;

interface TemplateRecord {
  id: number;
  name: string;
  rows: string;
}

/** Templates of requests: built-in ones and those of the firm. */
export function createTemplates({ db, clock, audit }: Pick<RequestsDependencies, 'db' | 'clock' | 'audit'>) {
  const toView = ({ id, name, rows }: TemplateRecord): RequestTemplate => ({
    id: String(id),
    name,
    rows: JSON.parse(rows) as string[],
    own: true,
  });

  return {
    /** Templates of the firm first. @throws {AppError} 403. */
    async list(actor: Actor): Promise<RequestTemplate[]> {
      requireAsk(actor);
      const own: TemplateRecord[] = await db('request_templates')
        .where({ firm_id: actor.firmId })
        .orderBy('name');
      return [...own.map(toView), ...BUILT_IN_TEMPLATES];
    },

    /**
     * Saves a template. A colleague may have made the firm's template of the same name, which only `replace` overwrites.
     * @throws {AppError} 403, 422; 409 `template_exists`.
     */
    async save(actor: Actor, { name, rows, replace = false }: SaveInput): Promise<RequestTemplate> {
      requireAsk(actor);
      return db.transaction(async (trx) => {
        const inFirm = { firm_id: actor.firmId };
        const all: TemplateRecord[] = await trx('request_templates').where(inFirm);
        if (all.length >= MAX_OWN_TEMPLATES && !all.some((existing) => existing.name === name))
          throw invalid({
            name: [`A firm keeps at most ${MAX_OWN_TEMPLATES} templates. Delete one that is not needed`],
          });
        const taken = () =>
          conflict(`There is a template "${name}" already. Choose another name.`, 'template_exists');
        const same = all.find((existing) => existing.name === name);
        if (same && !replace && same.rows !== JSON.stringify(rows)) throw taken();
        const template = { ...inFirm, name, rows: JSON.stringify(rows), updated_at: clock().toISOString() };
        const [row] = (await trx('request_templates')
          .insert(template)
          .onConflict(['firm_id', 'name'])
          .merge()
          .returning('*')) as TemplateRecord[];
        await audit.record(trx, { actor, did: 'request.save_template', detail: { name } });
        return toView(row!);
      });
    },

    /** @throws {AppError} 403, 404. */
    async remove(actor: Actor, id: number): Promise<void> {
      requireAsk(actor);
      await db.transaction(async (trx) => {
        const ownRow = { id, firm_id: actor.firmId };
        const row: TemplateRecord | undefined = await trx('request_templates').where(ownRow).first();
        if (!row) throw notFound('template');
        await trx('request_templates').where(ownRow).delete();
        await audit.record(trx, { actor, did: 'request.delete_template', detail: { name: row.name } });
      });
    },
  };
}
