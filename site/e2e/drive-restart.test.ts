import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { load, openBrowser, openPage, TIMEOUT_MS } from '#server/testing/browser.ts';
import { freePort } from '#server/testing/free-port.ts';
import { openVaultDatabase } from '#server/testing/vault-database.ts';
import { until } from '#server/testing/until.ts';
import { openUploadProxy } from './upload-proxy.ts';
import { rowNames, openByName, row, uploadFiles, visit } from './drive.ts';
import { waitForValue, waitForText } from './office.ts';
import { pdf, png } from './samples.ts';

const MAIN = join(import.meta.dirname, '../../server/main.ts');

/** Starts the real server as a process on a data folder; resolves when it answers. */
async function startOn(folder: string, port: number): Promise<ChildProcess> {
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: folder,
    ABUSE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    READING: 'off',
  };
  const server = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' });
  const isHealthy = async () =>
    (await fetch(`http://localhost:${port}/healthz`).catch(() => null))?.ok === true;
  try {
    await until(async () => server.exitCode !== null || (await isHealthy()), 3 * TIMEOUT_MS);
    assert.is(server.exitCode, null, 'the server is up');
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  }
  return server;
}

const MB = 1024 * 1024;

/** The SHA-256 of a file as the page downloads it. */
const digestOf = (page: Page, name: string): Promise<string> =>
  page.evaluate(async (wanted) => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('ca_token')}` };
    const id = document.querySelector(`[data-id][aria-label="${wanted}"]`)?.getAttribute('data-id');
    const link = await fetch(`/api/documents/${id}/download-token`, { method: 'POST', headers });
    const file = await fetch(((await link.json()) as { download_url: string }).download_url);
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }, name);

test('uploads shown as complete survive a kill of the server, and unfinished ones continue by themselves', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'office-'));
  const port = await freePort();
  const proxy = await openUploadProxy(`http://localhost:${port}`);
  const { url } = proxy;
  const browser = await openBrowser();
  let server: ChildProcess | undefined;
  try {
    server = await startOn(folder, port);
    const page = await openPage(browser);
    await load(page, `${url}/register`);
    await page.evaluate(async () => {
      await fetch('/sanctum/csrf-cookie');
      const xsrf = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const body = {
        name: 'Asha Rao',
        email: 'asha@rao.in',
        password: 'correct horse',
        password_confirmation: 'correct horse',
        ca_license_number: 'CA123456',
        phone: '9876543210',
        firm_name: 'Rao & Co',
        terms_accepted: true,
      };
      const headers = { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': xsrf };
      const answer = await fetch('/api/auth/register', {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      localStorage.setItem('ca_token', ((await answer.json()) as { data: { token: string } }).data.token);
    });
    await visit({ page, url }, '/dashboard');
    await uploadFiles(page, [
      { name: 'Form 16.pdf', content: pdf(3) },
      { name: 'Photo.png', content: png() },
    ]);
    await waitForText(page, '2 uploads complete');

    server.kill('SIGKILL');
    await once(server, 'exit');
    server = await startOn(folder, port);
    await visit({ page, url }, '/dashboard');
    await waitForValue(() => rowNames(page), ['Form 16.pdf', 'Photo.png']);
    await openByName(page, 'Form 16.pdf');
    await page.waitForSelector('[data-page="1"] canvas');
    await page.goBack();
    await row(page, 'Photo.png');

    const ledger = { name: 'Ledger.pdf', content: randomBytes(50 * MB) };
    const bills = [1, 2, 3].map((n) => ({ name: `Bill ${n}.pdf`, content: randomBytes(MB) }));
    const resumedFrom: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'HEAD')
        resumedFrom.push(Number(response.headers()['upload-offset']));
    });
    proxy.hold(40 * MB);
    await uploadFiles(page, [ledger]);
    // Wait for what the server has stored, not for what the browser has sent.
    const db = await openVaultDatabase(folder);
    const received = async () => Number((await db('resumable_uploads').first('received'))?.received ?? 0);
    await until(async () => (await received()) >= 32 * MB).finally(() => db.destroy());
    await uploadFiles(page, bills);
    await page.waitForSelector('[aria-label="Bill 2.pdf"][role="progressbar"]');
    server.kill('SIGKILL');
    await once(server, 'exit');
    await waitForText(page, 'Waiting for the server');
    proxy.release();
    server = await startOn(folder, port);
    await row(page, 'Ledger.pdf');
    assert.ok(resumedFrom.at(-1)! >= 32 * MB, `the upload resumed from ${resumedFrom.at(-1)}`);
    for (const { name, content } of [ledger, ...bills]) {
      await row(page, name);
      assert.is(await digestOf(page, name), createHash('sha256').update(content).digest('hex'), name);
    }
    await waitForValue(async () => (await rowNames(page)).length, 6, 'no file is there twice');
  } finally {
    await browser.close();
    proxy.close();
    server?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

test.run();
