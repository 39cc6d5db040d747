import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { copyText } from './copyText.ts';

const test = suite('copying text');
const GLOBALS = ['navigator', 'document', 'addEventListener', 'removeEventListener'] as const;
const before = GLOBALS.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));

/** @param older what the older API answers. */
function withBrowser(clipboard: unknown, older: boolean): void {
  const values = [{ clipboard }, { execCommand: () => older }, () => {}, () => {}];
  for (const [index, name] of GLOBALS.entries())
    Object.defineProperty(globalThis, name, { value: values[index], configurable: true });
}
// Other files of tests run in this process.
test.after(() => {
  for (const [index, name] of GLOBALS.entries()) {
    delete (globalThis as Partial<typeof globalThis>)[name];
    if (before[index]) Object.defineProperty(globalThis, name, before[index]);
  }
});
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
