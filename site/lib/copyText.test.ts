import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { copyText } from './copyText.ts';

/** @param older what the older API answers. */
function withBrowser(clipboard: unknown, older: boolean): void {
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true });
  define('navigator', { clipboard });
  define('document', { execCommand: () => older });
  for (const name of ['addEventListener', 'removeEventListener']) define(name, () => {});
}
const refusing = { writeText: () => Promise.reject(new Error('NotAllowedError')) };

test('text is copied to the clipboard', async () => {
  const copied: string[] = [];
  withBrowser({ writeText: async (text: string) => void copied.push(text) }, false);
  assert.is(await copyText('AAPFS1234A'), true);
  assert.equal(copied, ['AAPFS1234A']);
});

test('the older API copies where there is no clipboard, or the browser refuses it', async () => {
  for (const clipboard of [undefined, refusing]) {
    withBrowser(clipboard, true);
    assert.is(await copyText('AAPFS1234A'), true);
  }
});

test('a browser that copies in no way is reported', async () => {
  for (const clipboard of [undefined, refusing]) {
    withBrowser(clipboard, false);
    assert.is(await copyText('AAPFS1234A'), false);
  }
});

test.run();
