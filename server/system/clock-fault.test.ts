import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as plainServer } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { clockFault } from './clock-fault.ts';
import { watchRemoteTime } from './remote-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = new Date('2026-11-23T12:00:00Z');
const after = (ms: number): Date => new Date(NOW.getTime() + ms);
const remoteTime = (clockAhead: number) => ({
  host: 'bucket.example.in',
  time: NOW,
  wall: NOW.getTime() + clockAhead,
  ticks: 0,
});

test('a clock that differs by two hours from another machine’s time is reported, whether ahead or behind', () => {
  const told = (ahead: number) =>
    clockFault(after(ahead), { recorded: null, remote: remoteTime(ahead), ticks: 0 }) ?? '';
  assert.match(
    told(2 * HOUR),
    /^It is 2 hours ahead, by what bucket\.example\.in says: here it is Nov 23, 2026, 7:30 PM IST\.$/,
  );
  assert.match(told(-2 * HOUR), /^It is 2 hours behind/);
  assert.is(told(MINUTE), '', 'a minute is what a packet may take');
});

test('a corrected clock is no longer reported, and neither is that of a machine that slept', () => {
  const facts = { recorded: null, remote: remoteTime(2 * HOUR), ticks: 10 * MINUTE };
  assert.is(clockFault(after(10 * MINUTE), facts), null, 'put right');
  assert.match(clockFault(after(2 * HOUR + 10 * MINUTE), facts) ?? '', 'ahead');
  assert.is(clockFault(after(9 * HOUR), { recorded: null, remote: remoteTime(0), ticks: 0 }), null, 'slept');
});

test('without a network, records dated in the future reveal a clock that was set back', () => {
  const told = (recorded: Date) => clockFault(NOW, { recorded, remote: null, ticks: 0 });
  assert.match(
    told(after(2 * HOUR)) ?? '',
    /something was saved here on Nov 23, 2026, 7:30 PM IST: it is 2 hours behind/,
  );
  assert.is(told(NOW), null);
  assert.is(
    clockFault(NOW, { recorded: after(HOUR), remote: remoteTime(0), ticks: 0 }),
    null,
    'another machine agrees with this clock: it was wrong before',
  );
});

test('the time is read from https responses, not from plain http', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-heard-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '1',
  ];
  execFileSync('openssl', [...args, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const secure = createServer({ key: await readFile(key), cert: await readFile(cert) }, (_, res) =>
    res.end(),
  );
  const plain = plainServer((_, res) => res.end());
  const observed = watchRemoteTime({ clock: () => after(2 * HOUR), ticks: () => 7 });
  try {
    await once(plain.listen(0, '127.0.0.1'), 'listening');
    const { port: plainPort } = plain.address() as AddressInfo;
    await (await fetch(`http://127.0.0.1:${plainPort}`)).text();
    assert.is(observed.latest(), null);
    await once(secure.listen(0, '127.0.0.1'), 'listening');
    const { port } = secure.address() as AddressInfo;
    const asked = request({ host: '127.0.0.1', port, rejectUnauthorized: false }).end();
    const [answer] = await once(asked, 'response');
    answer.resume();
    await once(answer, 'end');
    const { host, time, wall, ticks } = observed.latest()!;
    assert.equal([host, wall, ticks], ['127.0.0.1', after(2 * HOUR).getTime(), 7]);
    assert.is(time.toUTCString(), answer.headers.date);
  } finally {
    observed.stop();
    secure.close();
    plain.close();
    await rm(folder, { recursive: true });
  }
});

test.run();
