import { expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { makeCleanAgain } from './clean-again.ts'

/** A cleaner that counts its work. */
function makeCounted() {
  const cleaned: string[] = []
  const sanitise = (html: string) => {
    cleaned.push(html)
    if (html.includes('<too-deep>')) throw new Refusal('document_invalid_structure')
    return html.replaceAll('<script>', '')
  }
  return { cleaned, sanitise }
}

test('a body stored under older rules is cleaned when it is shown', () => {
  const { sanitise } = makeCounted()
  const { show } = makeCleanAgain(sanitise)
  expect(show('<p>a<script></p>')).toBe('<p>a</p>')
  expect(show('<p>a<script></p>')).toBe('<p>a</p>')
})

test('a clean body is checked once, a result of the cleaner never', () => {
  const { sanitise, cleaned } = makeCounted()
  const { show, remember } = makeCleanAgain(sanitise)
  remember('<p>fresh</p>')
  for (let times = 0; times < 3; times++)
    expect([show('<p>fresh</p>'), show('<p>old</p>'), show('')]).toEqual([
      '<p>fresh</p>',
      '<p>old</p>',
      '',
    ])
  expect(cleaned).toEqual(['<p>old</p>'])
})

test('only the most recently shown bodies are remembered, up to the limit', () => {
  const { sanitise, cleaned } = makeCounted()
  const { show } = makeCleanAgain(sanitise, 2)
  for (const body of ['a', 'b', 'a', 'c', 'a', 'b']) show(body)
  expect(cleaned).toEqual(['a', 'b', 'c', 'b'])
})

test('a body that cannot be cleaned is shown as plain text', () => {
  const { sanitise } = makeCounted()
  expect(makeCleanAgain(sanitise).show('<too-deep>words<img src=x onerror=alert(1)')).toBe(
    ' words ',
  )
})
