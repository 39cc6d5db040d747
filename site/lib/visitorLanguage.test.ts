import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { languageHref } from './visitorLanguage.ts';

test('a page in another language tells nothing again, as if more files had arrived or had been refused', () => {
  const href = (query: string) => languageHref(new URL(`https://vault.example.in/d/x${query}`), 'hi');
  assert.is(href('?said=arrived&n=2'), '/d/x?lang=hi');
  assert.is(href('?said=arrived&row=1&refused=locked&file=a.pdf&more=2&lang=en'), '/d/x?lang=hi');
  assert.is(href('?said=sent'), '/d/x?said=sent&lang=hi', 'the code is still asked for');
  assert.is(href('?said=code&n=3'), '/d/x?said=code&n=3&lang=hi', 'so many were wrong');
  assert.is(href('?as=grid'), '/d/x?as=grid&lang=hi');
});

test.run();
