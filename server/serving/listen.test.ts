import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listenPlain } from './listen.ts';

const test = suite<{ port: number; close(): void }>('a port in use');

test.before.each(async (world) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  world.port = (other.address() as AddressInfo).port;
  world.close = () => void other.close();
});
test.after.each(({ close }) => close());

const told = (port: number, variable?: string) =>
  listenPlain(() => {}, { port, host: '127.0.0.1' }, variable).then(
    () => '',
    ({ message }: Error) => message,
  );

test('a port in use is reported with its number and the setting to change, PORT or HTTP_PORT', async ({
  port,
}) => {
  const said = await told(port);
  assert.match(said, String(port));
  assert.match(said, 'Set PORT to another number, or stop what uses this one.');
  assert.match(await told(port, 'HTTP_PORT'), 'Set HTTP_PORT to another number');
});

test('a port can be used once the other program has released it', async ({ port, close }) => {
  assert.is.not(await told(port), '');
  close();
  const listening = await listenPlain(() => {}, { port, host: '127.0.0.1' });
  await listening.close(0);
});

test.run();
