import { createHmac } from 'node:crypto';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Auth } from '#server/auth/service.ts';
import type { Clients } from '#server/clients/service.ts';
import { ALLOWED_EXTENSIONS, MAX_FILE_BYTES } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import type { Origin } from '#server/http/context.ts';
import { forbidden } from '#server/http/errors.ts';
import { COMPARED_MOST } from '#server/uploads/contract.ts';
import type { Records } from '#server/records/service.ts';
import type { Subscription } from '#server/subscription/service.ts';
import type {
  AuthorizeDevice,
  ClaimToken,
  CompareContent,
  Compared,
  DeviceSelf,
  FindFolder,
  FoundFolder,
  Paired,
  PairingCode,
  TargetClient,
  TargetFolders,
} from './contract.ts';
import { CLIENTS_SHOWN, CODE_SECONDS, FOLDERS_SHOWN } from './contract.ts';
import type { Places } from './places.ts';
import type { Releases } from './releases.ts';

/** What the desktop uploader asks of the vault, and what its owner does about it. */
export function createDevices(use: {
  auth: Pick<Auth, 'programs' | 'again' | 'viewer'>;
  documents: Pick<Documents, 'folder' | 'contentIn'>;
  clients: Pick<Clients, 'list' | 'lookUp'>;
  records: Pick<Records, 'used'>;
  subscription: Pick<Subscription, 'limitsOf'>;
  places: Places;
  releases: Releases;
  secret: Buffer;
}) {
  const { auth, documents, clients, records, subscription, places, releases } = use;
  // The same after the vault was moved or restored, and no other vault's.
  const vault_id = createHmac('sha256', use.secret).update('vault of a program').digest('hex').slice(0, 32);

  /** Programs may do nothing but upload, so nothing else is told them when their owner may not. */
  function demand(actor: Actor): void {
    if (!may(actor, 'documents.write')) throw forbidden();
  }

  return {
    /** @throws {AppError} 403. */
    async authorize(actor: Actor, request: AuthorizeDevice): Promise<PairingCode> {
      return { code: await auth.programs.authorize(actor, request), expires_in: CODE_SECONDS };
    },

    /** @throws {AppError} 403; 422 on `code`; 429. */
    async claim(request: ClaimToken, origin: Origin): Promise<Paired> {
      const { token, id, name } = await auth.programs.claim(request, origin);
      const viewer = await auth.viewer((await auth.programs.again(id))!);
      const { public_key } = await releases.latest();
      return {
        token,
        device: { id, name },
        user: { name: viewer.name, email: viewer.email },
        firm: { name: viewer.firm_name },
        vault_id,
        public_key,
      };
    },

    /** What a program has to know of itself; asked also when its owner may not upload. @throws {AppError} 403 for a session. */
    async me(actor: Actor, platform: string): Promise<DeviceSelf> {
      if (!actor.program) throw forbidden();
      const [viewer, limits, used, { public_key }, latest_version] = await Promise.all([
        auth.viewer(actor),
        subscription.limitsOf(actor),
        records.used(actor.firmId),
        releases.latest(),
        releases.versionFor(platform),
      ]);
      return {
        device: actor.program,
        user: { name: viewer.name, email: viewer.email },
        firm: { name: viewer.firm_name },
        vault_id,
        may_write: may(actor, 'documents.write'),
        quota_left: Math.max(0, limits.bytes - used),
        max_file_size: MAX_FILE_BYTES,
        allowed_extensions: [...ALLOWED_EXTENSIONS].toSorted(),
        latest_version,
        public_key,
      };
    },

    /** @throws {AppError} 403; 404. */
    async folders(actor: Actor, parent: number | null): Promise<TargetFolders> {
      demand(actor);
      // Folders stand before files.
      const page = await documents.folder(actor, parent, { limit: FOLDERS_SHOWN });
      const folders = page.items.filter(({ type }) => type === 'folder');
      return {
        breadcrumbs: page.breadcrumbs.map(({ id, name }) => ({ id, name })),
        folders: folders.map(({ id, name, client_name }) => ({ id, name, client_name })),
        more: page.next_cursor !== null && folders.length === page.items.length,
      };
    },

    /** @throws {AppError} 403. */
    async clients(actor: Actor, search: string): Promise<TargetClient[]> {
      demand(actor);
      const found =
        search.trim() === ''
          ? (await clients.list(actor, { limit: CLIENTS_SHOWN })).data
          : await clients.lookUp(actor, search, CLIENTS_SHOWN);
      return found.map(({ id, name, city }) => ({ id, name, city }));
    },

    /** Null for 'My Drive' itself. @throws {AppError} 403; 422 on `client_id`, `parent_id` and `path`. */
    async findFolder(actor: Actor, request: FindFolder): Promise<FoundFolder | null> {
      demand(actor);
      return places.open(actor, request);
    },

    /** @throws {AppError} 403; 422 on `parent_id`. */
    async compare(actor: Actor, { parent_id, path, sha256, size }: CompareContent): Promise<Compared> {
      demand(actor);
      const folder = await places.find(actor, parent_id, path);
      return {
        exists: folder === undefined ? null : await documents.contentIn(actor, folder, { sha256, size }),
        by_sending: COMPARED_MOST,
      };
    },

    /** A program ends its own connection. @throws {AppError} 403 for a session. */
    async leave(actor: Actor): Promise<void> {
      if (!actor.program) throw forbidden();
      await auth.programs.end(actor, actor.program.id);
    },

    /** @throws {AppError} 404 for one that is not the person's. */
    end: auth.programs.end,

    latest: releases.latest,
    file: releases.file,
  };
}
export type Devices = ReturnType<typeof createDevices>;
