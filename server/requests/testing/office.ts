import { randomBytes } from 'node:crypto';
import type { suite } from 'uvu';
import { FORM_HEADER, SENDER_COOKIE } from '#server/collecting/contract.ts';
import { multipart } from '#server/testing/multipart.ts';
import { CONTENT_TYPE, filePart } from '#server/testing/multipart.ts';
import type { World, WorldOptions } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { AskedPage, MakeRequests } from '../contract.ts';

type Account = Awaited<ReturnType<World['build']['colleague']>>;

/** Bytes that look like a PDF by their beginning. */
export const pdf = (text = 'content'): Buffer => Buffer.from(`%PDF-1.4\n${text}\n%%EOF\n`);

/** A client with the link of a request, and a browser. */
export function sender({ services }: World, address: string, url: string, ip = '127.0.0.1') {
  const token = url.slice(url.lastIndexOf('/') + 1);
  const who = { token, cookie: randomBytes(32).toString('base64url'), ip };
  const cookie = `${SENDER_COOKIE}=${who.cookie}`;
  const base = `${address}/r/${token}`;
  const form = services.collecting.formOf(who);
  const tus = { cookie, [FORM_HEADER]: form, accept: 'application/json', 'tus-resumable': '1.0.0' };
  const encode = (fields: Record<string, string>) =>
    Object.entries(fields)
      .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
      .join(',');
  async function post(
    path: string,
    field: string,
    parts: ReturnType<typeof filePart>[],
  ): Promise<URLSearchParams> {
    const answered = await fetch(base + path, {
      method: 'POST',
      body: new Uint8Array(multipart([{ name: 'form', body: field }, ...parts])),
      headers: { cookie, 'content-type': CONTENT_TYPE },
      redirect: 'manual',
    });
    if (answered.status !== 303) throw new Error(`${answered.status} ${await answered.text()}`);
    return new URL(answered.headers.get('location')!, address).searchParams;
  }

  return {
    who,
    token,
    base,
    form,
    cookie,
    page: (): Promise<AskedPage> => services.requests.senders.page(who),
    async open(): Promise<Extract<AskedPage, { form: string }>> {
      const page = await services.requests.senders.page(who);
      if (!('form' in page)) throw new Error('The link shows no request.');
      return page;
    },
    /** Submits a plain form. @returns the query of the redirect. */
    async send(path: string, fields: Record<string, string> = {}): Promise<URLSearchParams> {
      const answered = await fetch(base + path, {
        method: 'POST',
        body: new URLSearchParams({ form, ...fields }),
        headers: { cookie },
        redirect: 'manual',
      });
      if (answered.status !== 303) throw new Error(`${path}: ${answered.status} ${await answered.text()}`);
      return new URL(answered.headers.get('location')!, address).searchParams;
    },
    /** Sends files for a row by a plain form of that row. @returns the query of the redirect. */
    files: (row: number, files: [name: string, content: Buffer][], field = form): Promise<URLSearchParams> =>
      post(
        `/rows/${row}/files`,
        field,
        files.map(([name, content]) => filePart(name, content)),
      ),
    /**
     * Sends the files that are chosen for rows, like a browser without script. @param named the document of the button.
     * @returns the query of the redirect.
     */
    chosen: (
      files: [row: number, name: string, content: Buffer][],
      path = '/files',
      reasons: [row: number, reason: string][] = [],
      named?: string,
    ): Promise<URLSearchParams> =>
      post(path, form, [
        ...files.map(([row, filename, body]) => ({ ...filePart(filename, body), name: `row-${row}` })),
        ...reasons.map(([row, body]) => ({ name: `reason-${row}`, body })),
        ...(named === undefined ? [] : [{ name: 'row', body: named }]),
      ]),
    /** Starts an upload over tus. */
    begin: (name: string, size: number, more: Record<string, string>) =>
      fetch(`${base}/uploads`, {
        method: 'POST',
        headers: {
          ...tus,
          'upload-length': String(size),
          'upload-metadata': encode({ filename: name, ...more }),
        },
      }),
    patch: (path: string, offset: number, body: Buffer) =>
      fetch(address + path, {
        method: 'PATCH',
        headers: {
          ...tus,
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
        },
        body: new Uint8Array(body),
      }),
    head: (path: string) => fetch(address + path, { method: 'HEAD', headers: tus }),
    /** Sends a complete file over tus. @returns the last response. */
    async upload(
      row: number,
      name: string,
      content: Buffer,
      more: Record<string, string> = {},
    ): Promise<Response> {
      const begun = await this.begin(name, content.length, { row: String(row), ...more });
      if (begun.status !== 201) return begun;
      return this.patch(begun.headers.get('location')!, 0, content);
    },
    bind: (row: number, batch: string) =>
      fetch(`${base}/rows/${row}/bind`, {
        method: 'POST',
        body: JSON.stringify({ batch }),
        headers: { cookie, [FORM_HEADER]: form, 'content-type': 'application/json' },
      }),
  };
}

/** A server with a user who requests documents. */
export interface Office extends World {
  address: string;
  asha: Account;
  client: number;
  ask(rows: string[], more?: Partial<MakeRequests>): Promise<{ id: number; url: string; rows: number[] }>;
  /** Names of the items in a folder, or at the root. */
  names(folder: number | null): Promise<string[]>;
}

/** Gives each test of the suite its own office. */
export function eachOffice(test: ReturnType<typeof suite<Office>>, how: WorldOptions = {}): void {
  test.before.each(async (office) => {
    Object.assign(office, await freshWorld(how));
    const { services, build } = office;
    office.address = await office.serve();
    office.asha = (await build.account()) as Account;
    office.client = await build.client(office.asha.actor, 'Meera Iyer', { email: 'meera@example.in' });
    office.ask = async (rows, more = {}) => {
      const { made } = await services.requests.office.make(office.asha.actor, {
        client_ids: [office.client],
        rows,
        title: 'ITR FY 2025-26',
        note: '',
        due_on: '2026-11-30',
        language: 'en',
        reminders: { before: null, on: false, after: null },
        send: true,
        ...more,
      });
      const { id } = made[0]!;
      const { url } = await services.requests.office.link(office.asha.actor, id);
      const view = await services.requests.office.view(office.asha.actor, id);
      return { id, url, rows: view.rows.map((row) => row.id) };
    };
    office.names = async (folder) =>
      (await services.documents.folder(office.asha.actor, folder)).items.map(({ name }) => name);
  });
  test.after.each(async (office) => office.close());
}
