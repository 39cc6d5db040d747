import { execFile } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { CONTENT_TYPE, filePart, multipart } from './multipart.ts';
import { Visitor } from './visitor.ts';
import { startServer } from './server-process.ts';

const ADMIN = join(import.meta.dirname, '../tools/admin.ts');

/** Runs `npm run admin -- …`. @returns its exit code and output. */
export const runAdmin = (
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [ADMIN, ...args], { env: { ...process.env, ...env } }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, said: `${out}${err}` }),
    );
  });

/** Like `runAdmin`, and expects success. */
export async function runAdminOk(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, said } = await runAdmin(args, env);
  assert.is(code, 0, said);
  return said;
}

export const upload = (visitor: Visitor, name: string) =>
  visitor.call('POST', '/api/documents/upload', {
    body: multipart([filePart(name, `What ${name} says`)]),
    headers: { 'content-type': CONTENT_TYPE },
  });

/** Starts a server, uploads `more` if given, and returns the names of the top-level items. */
export async function listThroughServer(
  env: Record<string, string>,
  jar: Visitor['jar'],
  more?: string,
): Promise<string[]> {
  const server = await startServer(env);
  try {
    await server.up();
    const visitor = new Visitor(server.base);
    for (const [name, value] of jar) visitor.jar.set(name, value);
    if (more) assert.is((await upload(visitor, more)).status, 201);
    const { items } = (await visitor.get('/api/documents')).json.data;
    const found = await visitor.get('/api/documents/search?query=balance');
    assert.match(found.text, /balance sheet/);
    return items.map(({ name }: { name: string }) => name).toSorted();
  } finally {
    await server.end('SIGTERM');
  }
}
