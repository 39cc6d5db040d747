import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { bearer } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { FileView } from '../contract.ts';

/** A separate served vault for each test, with a signed-in user who views files. */
export interface Office extends World {
  base: string;
  actor: Actor;
  token: string;
  get(id: number, what?: string, headers?: Record<string, string>): Promise<Response>;
  /** Adds a file and returns its view. */
  shows(name: string, content: Buffer | string): Promise<FileView>;
  /** Adds a file and returns the HTML of its frame. */
  page(name: string, content: Buffer | string): Promise<string>;
  /** Adds a file that cannot be shown and returns the message. */
  refuses(name: string, content: Buffer | string): Promise<string>;
}

export const NOT_SHOWN = 'This file cannot be shown. Download it instead.';

export function opensOffices(test: Test<Office>): void {
  test.before.each(async (office) => {
    Object.assign(office, await freshWorld({ trashDays: 0 }));
    const base = await office.serve();
    const { actor, token } = await office.build.account();
    const get: Office['get'] = (id, what = 'view', headers = {}) =>
      fetch(`${base}/api/documents/${id}/${what}`, { headers: { ...bearer(token), ...headers } });
    const add = async (name: string, content: Buffer | string) =>
      (await office.build.file(actor, { name, content })).id;
    const shows: Office['shows'] = async (name, content) => {
      const response = await get(await add(name, content));
      const { data, message } = (await response.json()) as { data: FileView; message?: string };
      assert.is(response.status, 200, `${name}: ${message}`);
      return data;
    };
    const page: Office['page'] = async (name, content) => {
      const id = await add(name, content);
      assert.is((await get(id)).status, 200);
      return (await get(id, 'view/body')).text();
    };
    const refuses: Office['refuses'] = async (name, content) => {
      const response = await get(await add(name, content));
      assert.is(response.status, 422, name);
      return ((await response.json()) as { message: string }).message;
    };
    Object.assign(office, { base, actor, token, get, shows, page, refuses });
  });
  test.after.each(async (office) => {
    office.services.previews.stop();
    await office.close();
  });
}
