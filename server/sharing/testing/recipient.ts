import { randomBytes } from 'node:crypto';
import type { suite } from 'uvu';
import { COOKIE } from '../contract.ts';
import type { MakeShare } from '../contract.ts';
import type { RecipientPage } from '../contract.ts';
import type { World, WorldOptions } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

/** Somebody with a link and a browser of their own. */
export function recipient({ services }: World, address: string, url: string, ip = '127.0.0.1') {
  const token = url.slice(url.lastIndexOf('/') + 1);
  const visitor = { token, cookie: randomBytes(32).toString('base64url'), ip };
  const { recipients } = services.sharing;
  const cookie = `${COOKIE}=${visitor.cookie}`;
  const base = `${address}/s/${token}`;

  return {
    visitor,
    token,
    base,
    cookie,
    page: (folder?: number): Promise<RecipientPage> =>
      recipients.list(visitor, folder === undefined ? {} : { folder }),
    file: (id: number): Promise<RecipientPage> => recipients.file(visitor, id),
    /** Names of what the page lists; its state where it lists nothing. */
    async names(folder?: number): Promise<string[] | string> {
      const page = await this.page(folder);
      return page.state === 'open' ? page.items.map(({ name }) => name) : page.state;
    },
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(base + path, { headers: { cookie, ...headers }, redirect: 'manual' }),
    /** Sends a form of a page of ours. @returns where it leads, below the link's address. */
    async send(
      path: string,
      fields: Record<string, string> | [string, string][] = {},
      headers: Record<string, string> = {},
    ): Promise<string> {
      const body = new URLSearchParams(fields);
      body.set('form', recipients.formOf(visitor));
      const answered = await fetch(base + path, {
        method: 'POST',
        body,
        headers: { cookie, ...headers },
        redirect: 'manual',
      });
      if (answered.status !== 303) throw new Error(`${path}: ${answered.status} ${await answered.text()}`);
      return answered.headers.get('location')!.slice(`/s/${token}`.length);
    },
    /** Downloads it all, or what is named. @returns the answer; null where the page says no. */
    async download(what: number | 'all' = 'all'): Promise<Response | null> {
      const to = await this.send(`/download/${what}`);
      return to.startsWith('/get/') ? this.get(to) : null;
    },
  };
}

type Account = Awaited<ReturnType<World['build']['colleague']>>;

/** A server with somebody who shares. */
export interface Office extends World {
  address: string;
  asha: Account;
  share(ids: number[], more?: Partial<MakeShare>): Promise<{ id: number; url: string }>;
}

/** A link for anyone, with the originals, but for what is said. */
export const change = (more: object) => ({
  audience: 'anyone' as const,
  emails: [],
  mode: 'download' as const,
  expires_on: '2026-11-27',
  max_downloads: null,
  notify: false,
  ...more,
});

async function furnish(office: Office, options: WorldOptions): Promise<void> {
  Object.assign(office, await freshWorld(options));
  office.address = await office.serve();
  office.asha = (await office.build.account()) as Account;
  office.share = async (ids, more = {}) => {
    const request = { ...change({}), password: null, ids, ...more };
    const { share, url } = await office.services.sharing.links.make(office.asha.actor, request);
    return { id: share.id, url };
  };
}

async function leave(office: Office): Promise<void> {
  office.services.previews.stop();
  await office.close();
}

/** Gives each test of the suite an office of its own. */
export function eachOffice(test: ReturnType<typeof suite<Office>>, options: WorldOptions = {}): void {
  test.before.each((office) => furnish(office, options));
  test.after.each(leave);
}

/** Gives all tests of the suite one office, where processes are begun that take long to begin. */
export function oneOffice(test: ReturnType<typeof suite<Office>>, options: WorldOptions = {}): void {
  test.before((office) => furnish(office, options));
  test.after(leave);
}
