import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BadConfig, readConfig } from './config.ts';

test('an empty environment gives a working office on this machine', () => {
  const config = readConfig({});
  assert.is(config.port, 3000);
  assert.is(config.host, '127.0.0.1');
  assert.is(config.baseUrl, 'http://localhost:3000');
  assert.is(config.appName, 'Almirah');
  assert.is(config.abuseLimits, true);
});

test('all bad variables are told at once, so that one restart mends them', () => {
  try {
    readConfig({
      PORT: '99999',
      BASE_URL: 'vault',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'yes',
      CONTACT_EMAIL: 'x',
    });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, BadConfig);
    const { problems } = error as BadConfig;
    for (const name of ['PORT', 'BASE_URL', 'LOG_LEVEL', 'TRUST_PROXY', 'CONTACT_EMAIL']) {
      assert.ok(
        problems.some((problem) => problem.startsWith(`${name} should be`)),
        name,
      );
    }
  }
});

test('limits cannot be off where others can reach the server', () => {
  assert.throws(() => readConfig({ ABUSE_LIMITS: 'off', HOST: '0.0.0.0' }), /loopback/);
  assert.is(readConfig({ ABUSE_LIMITS: 'off' }).abuseLimits, false);
});

test('a wrong master key is never repeated in the error, since errors end in logs', () => {
  try {
    readConfig({ MASTER_KEY: 'topsecret', MASTER_KEY_FILE: '/x', PORT: 'no' });
    assert.unreachable();
  } catch (error) {
    assert.not.match((error as Error).message, /topsecret/);
  }
});

test('a base address keeps its origin only, since paths are ours', () => {
  assert.is(readConfig({ BASE_URL: 'https://vault.example.in/' }).baseUrl, 'https://vault.example.in');
  assert.throws(() => readConfig({ BASE_URL: 'https://vault.example.in/sub' }), /BASE_URL/);
});

test.run();
