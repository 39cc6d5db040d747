import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decode } from './readText.ts';

const test = suite('text for the preview');

test('UTF-8 is decoded with and without a byte order mark, and when it is cut inside a character', () => {
  assert.is(decode(new TextEncoder().encode('\ufeffकर'), false), 'कर');
  const bytes = new TextEncoder().encode('कर');
  assert.is(decode(bytes.subarray(0, bytes.length - 1), true), 'क');
});

test('UTF-16 and Windows-1252, in which Windows programs save, are decoded', () => {
  assert.is(decode(Uint8Array.of(0xff, 0xfe, 0x41, 0), false), 'A');
  assert.is(decode(Uint8Array.of(0xfe, 0xff, 0, 0x41), false), 'A');
  assert.is(decode(Uint8Array.of(0x52, 0x73, 0x96, 0x35), false), 'Rs–5');
});

test.run();
