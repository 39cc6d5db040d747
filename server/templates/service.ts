import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import type { Documents } from '#server/documents/service.ts';
import { nameKey } from '#server/documents/contract.ts';
import { AppError, conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import type { Clock } from '../clock.ts';
import { BUILT_IN } from './builtin.ts';
import type {
  Application,
  Applied,
  Problem,
  TemplateChange,
  TemplateInput,
  TemplatePreview,
  TemplateView,
} from './contract.ts';
import { TEMPLATES_MAX, expand, parseOutline, uses } from './contract.ts';
import { Template } from './model.ts';
import { tidyOutline } from './outline.ts';
import { mayApply } from './policy.ts';

export interface TemplateParts {
  db: Knex;
  clock: Clock;
  audit: Audit;
  documents: Pick<Documents, 'mergeFolders' | 'previewFolders'>;
  /** Those of these clients that the actor may see, in the order of the ids. */
  named: (actor: Actor, ids: readonly number[]) => Promise<{ id: number; name: string }[]>;
}

const CHANGED_MEANWHILE =
  'Somebody else has changed this template since you opened it. Nothing was saved: look at the changes, then save again.';
const FIXED = 'This template comes with the program and cannot be changed. Make a copy, and change that.';
/** Problems that are told by name. */
const TOLD = 20;

const builtIn: readonly TemplateView[] = BUILT_IN.map((one) => ({
  ...one,
  folders: parseOutline(one.outline).count,
  built_in: true,
  version: null,
}));

export function createTemplates({ db, clock, audit, documents, named }: TemplateParts) {
  const demand = (actor: Actor) => {
    if (!mayApply(actor)) throw forbidden();
  };

  async function own(db: Knex, actor: Actor, id: string): Promise<Template> {
    if (builtIn.some((one) => one.id === id)) throw forbidden(FIXED);
    const row = /^[1-9]\d{0,14}$/.test(id) ? await Template.query(db).findById(Number(id)) : undefined;
    if (!row || row.firm_id !== actor.firmId) throw notFound('template');
    return row;
  }

  const find = async (actor: Actor, id: string): Promise<TemplateView> =>
    builtIn.find((one) => one.id === id) ?? (await own(db, actor, id)).toView();

  /** @throws {AppError} 422 on `outline` with every faulty line, on `name` when it is taken. */
  async function checked(
    trx: Knex.Transaction,
    actor: Actor,
    { name, outline }: TemplateInput,
    id: number | null,
  ) {
    const { folders, faults } = parseOutline(outline);
    if (faults.length > 0)
      throw invalid({ outline: faults.map(({ line, message }) => `Line ${line}: ${message}`) });
    const name_key = nameKey(name);
    const others = Template.query(trx).where({ firm_id: actor.firmId, name_key });
    if (id !== null) others.whereNot({ id });
    if (builtIn.some((one) => nameKey(one.name) === name_key) || (await others.first()))
      throw invalid({ name: [`A template named "${name}" already exists.`] });
    return { name, name_key, outline: tidyOutline(folders), updated_at: clock().toISOString() };
  }

  /** What each of the clients gets, and those that are not there. @throws {AppError} 403, 404, 422 on `fy`. */
  async function plan(actor: Actor, id: string, { client_ids, fy }: Application) {
    demand(actor);
    const template = await find(actor, id);
    if (fy === undefined && uses(template.outline, 'fy'))
      throw invalid({ fy: ['Choose the financial year'] });
    const clients = await named(actor, client_ids);
    // With one client there is nothing left to do; of many the others go on.
    if (clients.length === 0) throw notFound('client');
    const { folders } = parseOutline(template.outline);
    const wanted = clients.map((client) => ({
      client,
      tree: expand(folders, { fy: fy ?? '', client: client.name }),
    }));
    return { template, wanted, missing: client_ids.length - clients.length };
  }

  const nothing = (left_out: number): Applied => ({
    clients: 0,
    created: 0,
    existing: 0,
    taken: 0,
    left_out,
    problems: [],
  });

  function add(sum: Applied, client: { id: number; name: string }, done: Done): void {
    sum.clients += 1;
    sum.created += done.created;
    sum.existing += done.existing;
    sum.taken += done.taken;
    const told = done.folders.filter(({ state }) => state === 'taken' || state === 'sealed');
    const problems = told.map(({ name, state }): Problem => ({
      client_id: client.id,
      client_name: client.name,
      name,
      sealed: state === 'sealed',
    }));
    sum.problems.push(...problems.slice(0, TOLD - sum.problems.length));
  }

  return {
    /** Those that come with the program first, then the firm's own by name. @throws {AppError} 403. */
    async list(actor: Actor): Promise<TemplateView[]> {
      demand(actor);
      const rows = await Template.query(db).where('firm_id', actor.firmId).orderBy('name_key');
      return [...builtIn, ...rows.map((row) => row.toView())];
    },

    /** @throws {AppError} 403; 422 on `name`, `outline`; 409 when there are too many. */
    create(actor: Actor, input: TemplateInput): Promise<TemplateView> {
      demand(actor);
      return db.transaction(async (trx) => {
        const row = await checked(trx, actor, input, null);
        const held = await Template.query(trx).where('firm_id', actor.firmId).resultSize();
        if (held >= TEMPLATES_MAX)
          throw conflict(`There are ${TEMPLATES_MAX} templates already. Delete one you no longer need.`);
        const made = await Template.query(trx).insertAndFetch({
          ...row,
          firm_id: actor.firmId,
          created_at: row.updated_at,
        });
        const { id, name } = made;
        await audit.record(trx, {
          actor,
          did: 'template.create',
          subject: `template:${id}`,
          detail: { name },
        });
        return made.toView();
      });
    },

    /** @throws {AppError} 403 also for what is built in; 404; 409 `template_changed`; 422 on `name`, `outline`. */
    update(actor: Actor, id: string, { version, ...input }: TemplateChange): Promise<TemplateView> {
      demand(actor);
      return db.transaction(async (trx) => {
        const before = await own(trx, actor, id);
        if (version !== undefined && version !== before.version)
          throw conflict(CHANGED_MEANWHILE, 'template_changed');
        const row = { ...(await checked(trx, actor, input, before.id)), version: before.version + 1 };
        const after = await Template.query(trx).patchAndFetchById(before.id, row);
        const { name } = after;
        await audit.record(trx, {
          actor,
          did: 'template.update',
          subject: `template:${id}`,
          detail: { name },
        });
        return after.toView();
      });
    },

    /** Folders that were created by it stay. @throws {AppError} 403 also for what is built in; 404. */
    remove(actor: Actor, id: string): Promise<void> {
      demand(actor);
      return db.transaction(async (trx) => {
        const { id: key, name } = await own(trx, actor, id);
        await Template.query(trx).deleteById(key);
        await audit.record(trx, {
          actor,
          did: 'template.delete',
          subject: `template:${id}`,
          detail: { name },
        });
      });
    },

    /** What `apply` would do; nothing is written. @throws {AppError} as `apply`. */
    async preview(actor: Actor, id: string, request: Application): Promise<TemplatePreview> {
      const { wanted, missing } = await plan(actor, id, request);
      const sum: TemplatePreview = { ...nothing(missing), example: null };
      for (const { client, tree } of wanted) {
        const would = await documents.previewFolders(actor, client, tree);
        add(sum, client, would);
        const { path, folders } = would;
        sum.example ??= { client_name: client.name, path, folders };
      }
      return sum;
    },

    /**
     * Creates the folders that are not there yet, linked to their client, in one short transaction for each client:
     * what an interruption leaves out is created when it is applied again.
     * @throws {AppError} 403; 404 for the template, and when none of the clients is the firm's; 422 on `fy`.
     */
    async apply(actor: Actor, id: string, request: Application): Promise<Applied> {
      const { template, wanted, missing } = await plan(actor, id, request);
      const sum = nothing(missing);
      for (const { client, tree } of wanted) {
        const done = await documents
          .mergeFolders(actor, client, tree, async (trx, { created, existing }) => {
            if (created === 0) return;
            await audit.record(trx, {
              actor,
              did: 'template.apply',
              subject: `client:${client.id}`,
              detail: {
                name: client.name,
                template: template.name,
                fy: request.fy ?? null,
                created,
                existing,
              },
            });
          })
          .catch((error: unknown) => {
            // Deleted since its name was read.
            if (error instanceof AppError && error.status === 404) return null;
            throw error;
          });
        if (done) add(sum, client, done);
        else sum.left_out += 1;
      }
      return sum;
    },
  };
}
type Done = Awaited<ReturnType<Documents['previewFolders']>>;
export type Templates = ReturnType<typeof createTemplates>;
