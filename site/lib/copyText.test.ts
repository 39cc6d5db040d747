import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { copyText } from './copyText.ts';

const withClipboard = (clipboard: unknown) =>
  Object.defineProperty(globalThis, 'navigator', { value: { clipboard }, configurable: true });

test('text is copied to the clipboard', async () => {
  const copied: string[] = [];
  withClipboard({ writeText: async (text: string) => void copied.push(text) });
  assert.is(await copyText('AAPFS1234A'), true);
  assert.equal(copied, ['AAPFS1234A']);
});

test('a refusal of the browser to copy is reported', async () => {
  withClipboard({ writeText: () => Promise.reject(new Error('NotAllowedError')) });
  assert.is(await copyText('AAPFS1234A'), false);
});

test('a browser that has no way to copy is reported, and nothing is thrown', async () => {
  withClipboard(undefined);
  assert.is(await copyText('AAPFS1234A'), false);
});

test.run();
