import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Auth } from '#server/auth/service.ts';
import type { Clients } from '#server/clients/service.ts';
import { ALLOWED_EXTENSIONS, MAX_FILE_BYTES } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import type { Origin } from '#server/http/context.ts';
import { forbidden } from '#server/http/errors.ts';
import { COMPARED_MOST } from '#server/uploads/contract.ts';
import type {
  AuthorizeDevice,
  ClaimToken,
  ComparedContent,
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
import type { UploadTargets } from './upload-targets.ts';
import type { Releases } from './releases.ts';

/** The API of the desktop uploader, and its management by the user. */
export function createDesktop(dependencies: {
  db: Knex;
  auth: Pick<Auth, 'programs' | 'again' | 'viewer'>;
  documents: Pick<Documents, 'folder' | 'contentIn' | 'contentMade' | 'free'>;
  clients: Pick<Clients, 'list' | 'lookUp'>;
  uploadTargets: UploadTargets;
  releases: Releases;
  secret: Buffer;
  dataFolderId: string | null;
}) {
  const { db, auth, documents, clients, uploadTargets, releases } = dependencies;
  // Stays the same when the vault is moved or restored, and differs from every other vault's.
  const vault_id = createHmac('sha256', dependencies.secret)
    .update('vault of a program')
    .digest('hex')
    .slice(0, 32);

  /** A program may only upload: when its user may not, it gets no other information either. */
  function requireWrite(actor: Actor): void {
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

    /**
     * Facts about the connection; also available when the user may not upload.
     * @throws {AppError} 403 for a session.
     */
    async me(actor: Actor, platform: string): Promise<DeviceSelf> {
      if (!actor.program) throw forbidden();
      const [viewer, quota_left, { public_key }, latest_version] = await Promise.all([
        auth.viewer(actor),
        documents.free(db, actor.firmId),
        releases.latest(),
        releases.versionFor(platform),
      ]);
      return {
        device: actor.program,
        user: { name: viewer.name, email: viewer.email },
        firm: { name: viewer.firm_name },
        vault_id,
        data_folder: dependencies.dataFolderId,
        may_write: may(actor, 'documents.write'),
        quota_left,
        max_file_size: MAX_FILE_BYTES,
        allowed_extensions: [...ALLOWED_EXTENSIONS].toSorted(),
        latest_version,
        public_key,
      };
    },

    /** @throws {AppError} 403; 404. */
    async folders(actor: Actor, parent: number | null): Promise<TargetFolders> {
      requireWrite(actor);
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
      requireWrite(actor);
      const found =
        search.trim() === ''
          ? (await clients.list(actor, { limit: CLIENTS_SHOWN })).data
          : await clients.lookUp(actor, search, CLIENTS_SHOWN);
      return found.map(({ id, name, city }) => ({ id, name, city }));
    },

    /**
     * Null for 'My Drive' itself.
     * @throws {AppError} 403; 422 on `client_id`, `parent_id` and `path`.
     */
    async findFolder(actor: Actor, request: FindFolder): Promise<FoundFolder | null> {
      requireWrite(actor);
      return uploadTargets.open(actor, request);
    },

    /** @throws {AppError} 403; 422 on `parent_id`. */
    async compare(actor: Actor, request: ComparedContent): Promise<Compared> {
      requireWrite(actor);
      const { parent_id, path, sha256, size, made, others } = request;
      const folder = await uploadTargets.find(actor, parent_id, path);
      const content = { sha256, size };
      const inFolder = folder === undefined ? null : await documents.contentIn(actor, folder, content);
      return {
        exists: inFolder ?? (made ? await documents.contentMade(actor, { ...content, others }) : null),
        by_sending: COMPARED_MOST,
      };
    },

    /** Disconnects the calling program. @throws {AppError} 403 for a session. */
    async leave(actor: Actor): Promise<void> {
      if (!actor.program) throw forbidden();
      await auth.programs.end(actor, actor.program.id);
    },

    /** @throws {AppError} 404 for a program of another user. */
    end: auth.programs.end,

    latest: releases.latest,
    file: releases.file,
  };
}
export type Desktop = ReturnType<typeof createDesktop>;
