import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TestResponse } from '#server/testing/visitor.ts';
import { Visitor, bearer } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { Paired } from '../contract.ts';

type Account = Awaited<ReturnType<World['build']['account']>>;

export interface Office extends World {
  folder: string;
  visitor: Visitor;
  account: Account;
  /** Pairs a program by a code that its owner types into it. */
  connect: (of?: Pick<Account, 'token'>) => Promise<Paired>;
  /** A request of the program. */
  ask: (
    token: string,
    method: string,
    path: string,
    body?: unknown,
    more?: Record<string, string>,
  ) => Promise<TestResponse>;
}

const AGENT = { 'user-agent': 'AlmirahUploader/1.0.0 (win-x64)' };
export const SELF = { name: 'FRONT-DESK', platform: 'win-x64', version: '1.0.0' };
export const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
export const metadata = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

/** Tests on a server with an office and a folder for built programs. */
export function desktopSuite(name: string) {
  const test = suite<Office>(name);
  test.before.each(async (office) => {
    office.folder = await mkdtemp(join(tmpdir(), 'uploader-'));
    Object.assign(office, await freshWorld({ desktopDir: office.folder }));
    office.account = await office.build.account();
    office.visitor = new Visitor(await office.serve());
    office.ask = (token, method, path, body, more) =>
      office.visitor.call(method, path, {
        ...(body !== undefined && { body }),
        headers: { ...bearer(token), ...AGENT, ...more },
      });
    office.connect = async ({ token } = office.account) => {
      const { json } = await office.ask(token, 'POST', '/api/desktop/authorize', {});
      const paired = await office.visitor.post('/api/desktop/token', { ...SELF, code: json.data.code });
      assert.is(paired.status, 200, paired.text);
      return paired.json.data;
    };
  });
  test.after.each(async (office) => {
    await office.close();
    await rm(office.folder, { recursive: true });
  });
  return test;
}

/** Sends a whole file as the program does. @returns the last response. */
export async function upload(
  { ask }: Office,
  token: string,
  fields: Record<string, string>,
  text: string,
): Promise<TestResponse> {
  const tus = { 'tus-resumable': '1.0.0' };
  const begun = await ask(token, 'POST', '/api/documents/resumable', undefined, {
    ...tus,
    'upload-length': String(text.length),
    'upload-metadata': metadata(fields),
  });
  if (begun.status !== 201) return begun;
  return ask(token, 'PATCH', begun.headers.get('location')!, text, {
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
  });
}
