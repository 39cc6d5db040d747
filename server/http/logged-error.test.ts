import { once } from 'node:events';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { loggedError } from './logged-error.ts';

const SECRET = 'PlantedSecret4711';
const test = suite<{ front: HttpWorld }>('errors in the log');
test.before.each(async (world) => {
  world.front = await openHttpWorld();
});
test.after.each(({ front }) => front.close());

/** Sends raw `text` and waits until the server has closed the connection. */
async function send(base: string, ...parts: string[]): Promise<void> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}).resume();
  await once(socket, 'connect');
  for (const part of parts) {
    socket.write(part);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (!socket.closed) await once(socket, 'close');
}

test('the body of a malformed request is not logged, since it may contain a password', async ({ front }) => {
  const visitor = await front.visitor();
  const cookie = [...visitor.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const head = [
    'POST /api/auth/login HTTP/1.1',
    'Host: vault.test',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    `Authorization: Bearer ${SECRET}`,
    `Cookie: ${cookie}`,
    `X-XSRF-TOKEN: ${visitor.jar.get('XSRF-TOKEN')}`,
    '',
    '',
  ].join('\r\n');
  await send(front.base, `${head}5\r\n{"a":\r\n`, `{"password":"${SECRET}"}\r\n0\r\n\r\n`);
  for (;;) {
    if (front.logged.some((line) => line.includes('HPE_'))) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const all = front.logged.join('');
  assert.not.ok(all.includes(SECRET));
  const bytes = [...Buffer.from(SECRET)].join(',');
  assert.not.ok(all.includes(bytes), 'nor as a list of bytes');
  for (const value of visitor.jar.values()) assert.not.ok(all.includes(value));
});

test('a failed statement is logged without its values', async ({ front }) => {
  const failed = await front
    .db('users')
    .insert({ name: SECRET, nothing_such: SECRET })
    .then(
      () => assert.unreachable(),
      (error: unknown) => error,
    );
  const said = JSON.stringify(loggedError(failed));
  assert.match(said, /nothing_such/);
  assert.not.ok(said.includes(SECRET));
});

test('only known fields of an error and its causes are logged', () => {
  const inner = Object.assign(new Error('the socket broke'), {
    code: 'EPIPE',
    rawPacket: Buffer.from(SECRET),
    config: { headers: { cookie: SECRET } },
  });
  const outer = Object.assign(new Error('not sent', { cause: inner }), {
    status: 502,
    headers: { cookie: SECRET },
  });
  const told = loggedError(new AggregateError([outer], 'all failed'));
  assert.not.ok(JSON.stringify(told).includes(SECRET));
  assert.is(told.errors?.[0]?.status, 502);
  assert.is(told.errors?.[0]?.cause?.code, 'EPIPE');
  assert.match(told.stack ?? '', /logged-error\.test\.ts/);
});

test('quotes in parser errors are not logged', () => {
  const errors = [
    () => JSON.parse(`${SECRET}{`),
    () => v.parse(v.object({ password: v.number() }), { password: SECRET }),
    () => new URL(`http://${SECRET}:port`),
  ].map((fails) => {
    try {
      fails();
    } catch (error) {
      return error;
    }
    return assert.unreachable();
  });
  for (const error of errors) assert.not.ok(JSON.stringify(loggedError(error)).includes(SECRET));
});

test('a thrown value that is not an error is logged by its type only', () => {
  assert.is(loggedError(SECRET).message, 'something was thrown that is no error');
  const circle = new Error('round');
  circle.cause = circle;
  assert.is(loggedError(circle).cause?.message, 'round');
});

test.run();
