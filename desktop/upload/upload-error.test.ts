import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { UploadError } from './upload-error.ts';
import { disconnection, refusal } from './upload-error.ts';

const answered = (status: number, body: object = {}, headers: Record<string, string> = {}) =>
  refusal({ status, headers, text: JSON.stringify(body) });

test('an error of the vault puts the vault on hold, an error of a file fails that file only', () => {
  const held = (trouble: UploadError) => trouble.kind === 'hold' && trouble.hold;
  assert.is(held(answered(401, { code: 'device_ended' })), 'ended');
  assert.is(held(answered(403, { code: 'forbidden', message: 'You may not upload.' })), 'refused');
  assert.is(held(answered(422, { code: 'quota_exceeded', message: '5 GB of 5 GB are used.' })), 'full');
  assert.is(held(answered(503, { code: 'disk_full' })), 'busy');
  assert.is(held(answered(502)), 'busy');
  assert.is(answered(413, { message: 'Too large' }).kind, 'file');
  assert.is(answered(422, { code: 'infected', message: 'Infected' }).message, 'Infected');
  assert.is(answered(422, { code: 'invalid', errors: { file: ['no'] } }).kind, 'file');
  assert.is(answered(422, { code: 'invalid', errors: { parent_id: ['gone'] } }).kind, 'folder');
  assert.is(answered(404).kind, 'lost');
  assert.is(answered(410, { code: 'upload_lost' }).kind, 'lost');
  assert.is(answered(409, { code: 'wrong_offset' }).kind, 'offset');
});

test('the wait before a retry follows Retry-After, and a response that is not JSON is handled', () => {
  assert.is(answered(429, {}, { 'retry-after': '7' }).wait, 7000);
  assert.is(answered(429, {}, { 'retry-after': 'soon' }).wait, 5000);
  assert.is(refusal({ status: 502, headers: {}, text: '<html>Bad gateway' }).hold, 'busy');
});

test('untrusted certificates, a wrong clock and an unreachable vault are reported as such; other errors are returned unchanged', () => {
  const told = (code: string) => disconnection(Object.assign(new Error(code), { code })) as UploadError;
  assert.is(told('CERT_HAS_EXPIRED').hold, 'certificate');
  assert.match(told('CERT_NOT_YET_VALID').message, 'clock of this computer');
  assert.match(told('DEPTH_ZERO_SELF_SIGNED_CERT').message, 'not trusted');
  assert.is(told('UNSPECIFIED').hold, 'certificate');
  assert.is(told('ECONNREFUSED').hold, 'offline');
  assert.is(told('ENOTFOUND').hold, 'offline');
  const ours = new TypeError('a mistake of ours');
  assert.is(disconnection(ours), ours);
});

test.run();
