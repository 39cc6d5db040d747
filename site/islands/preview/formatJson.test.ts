import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { indented } from './formatJson.ts';

const test = suite('JSON for the preview');

test('a return as the portal gives it, on one line, can be read', () => {
  assert.is(
    indented('{"gstin":"27AAPFU0939F1ZV","b2b":[{"val":729248.10},{"val":1}],"cdnr":[],"x":{}}'),
    `{
  "gstin": "27AAPFU0939F1ZV",
  "b2b": [
    {
      "val": 729248.10
    },
    {
      "val": 1
    }
  ],
  "cdnr": [],
  "x": {}
}`,
  );
});

test('no figure and no text is changed, whatever signs are in it', () => {
  const text = '["a: {\\"b\\", [c]", 12345678901234567890, 1.50, -0, null]';
  assert.is(indented(text).replaceAll(/\n */g, ' ').replace('[ ', '[').replace(' ]', ']'), text);
});

test('what is no JSON, or cut off, is shown as it is', () => {
  for (const text of ['{"a":', 'gstin=27', '']) assert.is(indented(text), text);
});

test.run();
