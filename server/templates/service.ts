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
import { MAX_TEMPLATES, expand, parseOutline, usesPlaceholder } from './contract.ts';
import { Template } from './model.ts';
import { formatOutline } from './outline.ts';
import { mayApply } from './policy.ts';

interface TemplateDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  documents: Pick<Documents, 'mergeFolders' | 'previewFolders'>;
  /** The visible ones of these clients, in the order of the ids. */
  visibleClients: (actor: Actor, ids: readonly number[]) => Promise<{ id: number; name: string }[]>;
}

const CHANGED_MEANWHILE =
  'Somebody else has changed this template since you opened it. Nothing was saved: look at the changes, then save again.';
const IS_BUILT_IN =
  'This template comes with the program and cannot be changed. Make a copy, and change that.';
/** Problems that a response lists. */
const MAX_PROBLEMS = 20;

const builtIn: readonly TemplateView[] = BUILT_IN.map((template) => ({
  ...template,
  folders: parseOutline(template.outline).count,
  built_in: true,
  version: null,
}));

export function createTemplates({ db, clock, audit, documents, visibleClients }: TemplateDependencies) {
  const requireApply = (actor: Actor) => {
    if (!mayApply(actor)) throw forbidden();
  };

  async function findOwn(db: Knex, actor: Actor, id: string): Promise<Template> {
    if (builtIn.some((template) => template.id === id)) throw forbidden(IS_BUILT_IN);
    const row = /^[1-9]\d{0,14}$/.test(id) ? await Template.query(db).findById(Number(id)) : undefined;
    if (!row || row.firm_id !== actor.firmId) throw notFound('template');
    return row;
  }

  const find = async (actor: Actor, id: string): Promise<TemplateView> =>
    builtIn.find((template) => template.id === id) ?? (await findOwn(db, actor, id)).toView();

  /** @throws {AppError} 422 on `outline` with every faulty line, on `name` when another template has it. */
  async function checkedColumns(
    trx: Knex.Transaction,
    actor: Actor,
    { name, outline }: TemplateInput,
    id: number | null,
  ) {
    const { folders, errors } = parseOutline(outline);
    if (errors.length > 0)
      throw invalid({ outline: errors.map(({ line, message }) => `Line ${line}: ${message}`) });
    const name_key = nameKey(name);
    const others = Template.query(trx).where({ firm_id: actor.firmId, name_key });
    if (id !== null) others.whereNot({ id });
    if (builtIn.some((template) => nameKey(template.name) === name_key) || (await others.first()))
      throw invalid({ name: [`A template named "${name}" already exists.`] });
    return { name, name_key, outline: formatOutline(folders), updated_at: clock().toISOString() };
  }

  /** The folders of each client, and the number of missing clients. @throws {AppError} 403, 404, 422 on `fy`. */
  async function plan(actor: Actor, id: string, { client_ids, fy }: Application) {
    requireApply(actor);
    const template = await find(actor, id);
    if (fy === undefined && usesPlaceholder(template.outline, 'fy'))
      throw invalid({ fy: ['Choose the financial year'] });
    const clients = await visibleClients(actor, client_ids);
    // A request for a single missing client fails; of several clients the others are processed.
    if (clients.length === 0) throw notFound('client');
    const { folders } = parseOutline(template.outline);
    const plans = clients.map((client) => ({
      client,
      tree: expand(folders, { fy: fy ?? '', client: client.name }),
    }));
    return { template, plans, missing: client_ids.length - clients.length };
  }

  const emptyResult = (left_out: number): Applied => ({
    clients: 0,
    created: 0,
    existing: 0,
    taken: 0,
    left_out,
    problems: [],
  });

  function add(sum: Applied, client: { id: number; name: string }, result: FolderResult): void {
    sum.clients += 1;
    sum.created += result.created;
    sum.existing += result.existing;
    sum.taken += result.taken;
    const blocked = result.folders.filter(({ state }) => state === 'taken' || state === 'sealed');
    const problems = blocked.map(({ name, state }): Problem => ({
      client_id: client.id,
      client_name: client.name,
      name,
      sealed: state === 'sealed',
    }));
    sum.problems.push(...problems.slice(0, MAX_PROBLEMS - sum.problems.length));
  }

  return {
    /** Built-in templates first, then those of the firm by name. @throws {AppError} 403. */
    async list(actor: Actor): Promise<TemplateView[]> {
      requireApply(actor);
      const rows = await Template.query(db).where('firm_id', actor.firmId).orderBy('name_key');
      return [...builtIn, ...rows.map((row) => row.toView())];
    },

    /** @throws {AppError} 403; 422 on `name`, `outline`; 409 at the maximum number of templates. */
    create(actor: Actor, input: TemplateInput): Promise<TemplateView> {
      requireApply(actor);
      return db.transaction(async (trx) => {
        const row = await checkedColumns(trx, actor, input, null);
        const count = await Template.query(trx).where('firm_id', actor.firmId).resultSize();
        if (count >= MAX_TEMPLATES)
          throw conflict(`There are ${MAX_TEMPLATES} templates already. Delete one you no longer need.`);
        const inserted = await Template.query(trx).insertAndFetch({
          ...row,
          firm_id: actor.firmId,
          created_at: row.updated_at,
        });
        const { id, name } = inserted;
        await audit.record(trx, {
          actor,
          did: 'template.create',
          subject: `template:${id}`,
          detail: { name },
        });
        return inserted.toView();
      });
    },

    /** @throws {AppError} 403 also for a built-in template; 404; 409 `template_changed`; 422 on `name`, `outline`. */
    update(actor: Actor, id: string, { version, ...input }: TemplateChange): Promise<TemplateView> {
      requireApply(actor);
      return db.transaction(async (trx) => {
        const before = await findOwn(trx, actor, id);
        if (version !== undefined && version !== before.version)
          throw conflict(CHANGED_MEANWHILE, 'template_changed');
        const row = { ...(await checkedColumns(trx, actor, input, before.id)), version: before.version + 1 };
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

    /** Keeps the folders that were created from it. @throws {AppError} 403 also for a built-in template; 404. */
    remove(actor: Actor, id: string): Promise<void> {
      requireApply(actor);
      return db.transaction(async (trx) => {
        const { id: key, name } = await findOwn(trx, actor, id);
        await Template.query(trx).deleteById(key);
        await audit.record(trx, {
          actor,
          did: 'template.delete',
          subject: `template:${id}`,
          detail: { name },
        });
      });
    },

    /** Previews `apply` without writing. @throws {AppError} as `apply`. */
    async preview(actor: Actor, id: string, request: Application): Promise<TemplatePreview> {
      const { plans, missing } = await plan(actor, id, request);
      const sum: TemplatePreview = { ...emptyResult(missing), example: null };
      for (const { client, tree } of plans) {
        const preview = await documents.previewFolders(actor, client, tree);
        add(sum, client, preview);
        const { path, folders } = preview;
        sum.example ??= { client_name: client.name, path, folders };
      }
      return sum;
    },

    /**
     * Creates missing folders, linked to their client, in one short transaction per client: applying again completes
     * an interrupted run.
     * @throws {AppError} 403; 404 for the template, and when no client exists; 422 on `fy`.
     */
    async apply(actor: Actor, id: string, request: Application): Promise<Applied> {
      const { template, plans, missing } = await plan(actor, id, request);
      const sum = emptyResult(missing);
      for (const { client, tree } of plans) {
        const result = await documents
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
            // The client was deleted since `plan` read its name.
            if (error instanceof AppError && error.status === 404) return null;
            throw error;
          });
        if (result) add(sum, client, result);
        else sum.left_out += 1;
      }
      return sum;
    },
  };
}
type FolderResult = Awaited<ReturnType<Documents['previewFolders']>>;
export type Templates = ReturnType<typeof createTemplates>;
