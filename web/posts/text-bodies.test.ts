// Where bodies are text: what the app shows of one, and what it never becomes.
import { expect, test } from 'vitest'
import { shownBody, withShownBody } from './shown-post.ts'

const TEXT = { hasTextBodies: true }

test('a text body becomes HTML that says the same letter for letter', () => {
  expect(shownBody(TEXT, '<img src=x onerror=alert(1)>\n\n# A & "b"\n  c')).toBe(
    '<p>&lt;img src=x onerror=alert(1)&gt;</p><p># A &amp; &quot;b&quot;<br>\u00a0\u00a0c</p>',
  )
  expect(withShownBody(TEXT, { title: 'a', content: '<b>' }).content).toBe('<p>&lt;b&gt;</p>')
})

test('an HTML body stays as it is', () => {
  expect(shownBody({}, '<p>a</p>')).toBe('<p>a</p>')
  expect(withShownBody({}, { content: '<p>a</p>' })).toEqual({ content: '<p>a</p>' })
})
