import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, DAY, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { Visitor, bearer } from '../testing/visitor.ts';
import { deviceName } from '../http/browsers.ts';
import { networkName } from '../http/network-name.ts';

const test = suite<{ front: HttpWorld; asha: Visitor & { token: string } }>('signed-in devices');
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';

test.before.each(async (world) => {
  world.front = await openHttpWorld({
    config: { baseUrl: 'http://vault.test', trustProxy: ['127.0.0.1/32'] },
  });
  world.asha = await world.front.asha();
});
test.after.each(({ front }) => front.close());

async function enter(front: HttpWorld, visitor?: Visitor) {
  const who = visitor ?? (await front.visitor());
  const body = { email: ASHA.email, password: ASHA.password };
  const headers = { 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.7' };
  const { json } = await who.post('/api/auth/login', body, { headers });
  return { visitor: who, token: json.data.token as string };
}
const kinds = async (front: HttpWorld) => (await front.deliverMail()).map(({ kind }) => kind);

test('the list of sessions shows browser, place and last use, with this device first and without secrets', async ({
  front,
  asha,
}) => {
  front.advance(DAY);
  await enter(front);
  const { json, text } = await asha.get('/api/auth/sessions');
  assert.is(json.data.length, 2);
  assert.is(json.data[0].is_current, true);
  const { id: _, ...other } = json.data[1];
  assert.equal(other, {
    name: 'Firefox on Windows',
    place: '203.0.113.7',
    signed_in_at: '2026-11-21T10:00:00.000Z',
    last_used_at: '2026-11-21T10:00:00.000Z',
    is_current: false,
  });
  assert.not.match(text, /hash|user_agent/);
});

test('a user can sign out a device from another one, with immediate effect, and no other user can', async ({
  front,
  asha,
}) => {
  const { token } = await enter(front);
  const { json } = await asha.get('/api/auth/sessions');
  const { id } = json.data[1];
  const stranger = await front.visitor();
  await stranger.post('/api/auth/register', { ...ASHA, email: 'other@rao.in' });
  assert.is((await stranger.call('DELETE', `/api/auth/sessions/${id}`)).status, 404);
  assert.is((await asha.call('DELETE', `/api/auth/sessions/${id}`)).status, 200);
  assert.is((await asha.call('DELETE', `/api/auth/sessions/${id}`)).status, 404);
  assert.is((await new Visitor(front.base).get('/api/auth/user', { headers: bearer(token) })).status, 401);
});

test('all other devices can be signed out together, and this one stays signed in', async ({
  front,
  asha,
}) => {
  await enter(front);
  await enter(front);
  const { json } = await asha.post('/api/auth/logout-others');
  assert.is(json.data.ended, 2);
  assert.is((await asha.get('/api/auth/user')).status, 200);
});

test('the first sign-in with a new browser is reported by e-mail, and later ones with it are not', async ({
  front,
  asha,
}) => {
  const { visitor } = await enter(front);
  await enter(front, visitor);
  await enter(front, asha);
  assert.equal(await kinds(front), ['auth.welcome', 'auth.new_device']);
  const email = (await front.deliverMail()).at(-1)!;
  assert.match(
    email.text,
    /Browser: Firefox on Windows\nAddress: 203\.0\.113\.7\nTime: Nov 20, 2026, 3:30 PM IST/,
  );
});

test('a device id that the client made up is replaced with a new one', async ({ front }) => {
  const visitor = await front.visitor();
  visitor.jar.set('almirah_device', '../../x');
  await enter(front, visitor);
  assert.match(visitor.jar.get('almirah_device') ?? '', /^[\w-]{43}$/);
});

test('browsers are recognised by their user agent, although most user agents name other browsers too', () => {
  for (const [agent, name] of [
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130 Safari/537.36 Edg/130', 'Edge on Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14) AppleWebKit/605 Version/17 Safari/605', 'Safari on Mac'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17 like Mac OS X) AppleWebKit CriOS/120 Safari', 'Chrome on iPhone'],
    [
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit SamsungBrowser/23 Chrome/115 Safari',
      'Samsung Internet on Android',
    ],
    ['curl/8.5.0', 'A program'],
    ['', 'A program'],
  ] as const) {
    assert.is(deviceName(agent), name);
  }
});

test('the name of a place is derived from the IP address alone, without asking an outside service', () => {
  assert.is(networkName('127.0.0.1', '192.0.2.1'), 'The server itself');
  assert.is(networkName('192.168.1.7', '192.0.2.1'), 'Office network (192.168.1.7)');
  assert.is(networkName('192.0.2.1', '192.0.2.1'), 'Where you are now (192.0.2.1)');
  assert.is(networkName('203.0.113.7', '192.0.2.1'), '203.0.113.7');
});

test.run();
