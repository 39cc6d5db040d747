import { randomBytes } from 'node:crypto';
import type { suite } from 'uvu';
import { COOKIE } from '../contract.ts';
import type { MakeShare } from '../contract.ts';
import type { RecipientPage } from '../contract.ts';
import type { World, WorldOptions } from '#server/testing/world.ts';
import { until } from '#server/testing/until.ts';
import { freshWorld } from '#server/testing/world.ts';

/** A visitor with a link and a browser of their own. */
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
    /** As somebody who opens the file again for as long as the page says that the server is busy drawing. */
    async file(id: number): Promise<RecipientPage> {
      let page = await recipients.file(visitor, id);
      const isBusy = () => page.state === 'file' && page.why === 'busy';
      await until(async () => {
        if (isBusy()) page = await recipients.file(visitor, id);
        return !isBusy();
      });
      return page;
    },
    /** The names of the listed items; the state of the page when it lists nothing. */
    async names(folder?: number): Promise<string[] | string> {
      const page = await this.page(folder);
      return page.state === 'open' ? page.items.map(({ name }) => name) : page.state;
    },
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(base + path, { headers: { cookie, ...headers }, redirect: 'manual' }),
    /** Submits a form of our page. @returns the redirect target, relative to the link's address. */
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
    /** Downloads everything, or one item. @returns the response; null when the page refuses. */
    async download(what: number | 'all' = 'all'): Promise<Response | null> {
      const to = await this.send(`/download/${what}`);
      return to.startsWith('/get/') ? this.get(to) : null;
    },
  };
}

const MASKING_MAX_MS = 5 * 60_000;

/** Resolves once all of these are masked but `waiting` of them: a recipient's request only waits for some seconds. */
export const untilMasked = ({ services, asha }: Office, ids: number[], waiting = 0): Promise<void> =>
  until(async () => {
    const check = await services.sharing.links.check(asha.actor, { ids, open_locked: true, prepare: true });
    return check.waiting === waiting;
  }, MASKING_MAX_MS);

type Account = Awaited<ReturnType<World['build']['colleague']>>;

/** A server with a user who shares. */
export interface Office extends World {
  address: string;
  asha: Account;
  share(ids: number[], more?: Partial<MakeShare>): Promise<{ id: number; url: string }>;
}

/** The request for a change of a link to one for anyone, with downloads, unless overridden. */
export const change = (more: object) => ({
  audience: 'anyone' as const,
  emails: [],
  mode: 'download' as const,
  expires_on: '2026-11-27',
  max_downloads: null,
  notify: false,
  ...more,
});

/** The request for a link to these items: for anyone, with downloads, unless overridden. */
export const newLink = (ids: number[], more: Partial<MakeShare> = {}): MakeShare => ({
  ...change({}),
  password: null,
  ids,
  ...more,
});

async function furnish(office: Office, options: WorldOptions): Promise<void> {
  Object.assign(office, await freshWorld(options));
  office.address = await office.serve();
  office.asha = (await office.build.account()) as Account;
  office.share = async (ids, more = {}) => {
    const request = newLink(ids, more);
    const { share, url } = await office.services.sharing.links.make(office.asha.actor, request);
    return { id: share.id, url };
  };
}

async function leave(office: Office): Promise<void> {
  office.services.previews.stop();
  await office.close();
}

/** Gives each test of the suite its own office. */
export function eachOffice(test: ReturnType<typeof suite<Office>>, options: WorldOptions = {}): void {
  test.before.each((office) => furnish(office, options));
  test.after.each(leave);
}

/** Shares one office among all tests of the suite, where processes are slow to start. */
export function oneOffice(test: ReturnType<typeof suite<Office>>, options: WorldOptions = {}): void {
  test.before((office) => furnish(office, options));
  test.after(leave);
}
