import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { indented } from './formatJson.ts';

const test = suite('JSON for the preview');

test('JSON on one line, such as a return from the GST portal, is indented', () => {
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

test('figures and texts stay unchanged, also with brackets and quotes in them', () => {
  const text = '["a: {\\"b\\", [c]", 12345678901234567890, 1.50, -0, null]';
  assert.is(indented(text).replaceAll(/\n */g, ' ').replace('[ ', '[').replace(' ]', ']'), text);
});

test('text that is not JSON, or is cut off, is shown unchanged', () => {
  for (const text of ['{"a":', 'gstin=27', '']) assert.is(indented(text), text);
});

test.run();
