import { beforeEach, describe, expect, test } from 'vitest'
import { withWindow } from '#test/support/window.ts'
import { blockOf, findObjects, isEmptyLine, isObject, neighbourOf, objectOf } from './objects.ts'

withWindow()

let body: HTMLElement
beforeEach(() => {
  body = new DOMParser().parseFromString('', 'text/html').body
})

function first(html: string, selector = '*'): HTMLElement {
  body.innerHTML = html
  const element = body.querySelector<HTMLElement>(selector)
  if (!element) throw new Error(`no ${selector} in ${html}`)
  return element
}

const IMAGE = '<img src="/a.png" alt="a">'

describe('no text can be typed into an object', () => {
  test.each([
    '<table><tbody><tr><td>a</td></tr></tbody></table>',
    '<pre>a</pre>',
    '<hr>',
    `<figure>${IMAGE}<figcaption>a</figcaption></figure>`,
    '<iframe></iframe>',
    '<div contenteditable="false">a</div>',
    `<p>${IMAGE}</p>`,
    `<p> ${IMAGE}\uFEFF<a href="/a">${IMAGE}</a></p>`,
    '<h2><span data-mce-object="iframe"></span></h2>',
  ])('%s is an object', (html) => {
    expect(isObject(first(html))).toBe(true)
  })

  test.each([
    '<p>a</p>',
    '<p><br></p>',
    `<p>a ${IMAGE}</p>`,
    '<blockquote><p>a</p></blockquote>',
    '<ul><li>a</li></ul>',
    `<div><p>${IMAGE}</p></div>`,
    '<p data-mce-bogus="all"><img></p>',
  ])('%s is not an object', (html) => {
    expect(isObject(first(html))).toBe(false)
  })
})

test.each([
  ['<p><br></p>', true],
  ['<h2>\uFEFF </h2>', true],
  ['<p>a</p>', false],
  [`<p>${IMAGE}</p>`, false],
  ['<p data-mce-bogus="all"></p>', false],
  ['<li></li>', false],
])('%s is an empty line: %s', (html, isEmpty) => {
  expect(isEmptyLine(first(html))).toBe(isEmpty)
})

test.each([
  ['<p>a <em>b</em></p>', 'em', 'P'],
  ['<table><tbody><tr><td>a <b>b</b></td></tr></tbody></table>', 'b', 'B'],
  ['<ul><li><p>a <b>b</b></p></li></ul>', 'b', 'P'],
  ['<blockquote><h2><b>b</b></h2></blockquote>', 'b', 'H2'],
  [
    `<figure contenteditable="false">${IMAGE}<figcaption><b>a</b></figcaption></figure>`,
    'b',
    'FIGURE',
  ],
])('in %s the block of %s is %s', (html, selector, name) => {
  expect(blockOf(first(html, selector))?.nodeName).toBe(name)
})

test('a node inside an object leads to the object; a node in text leads to none', () => {
  expect(objectOf(first('<pre><code>a</code></pre>', 'code'))?.nodeName).toBe('PRE')
  expect(objectOf(first('<p>a <code>b</code></p>', 'code'))).toBe(undefined)
})

test('elements of the editor itself are skipped when the neighbour of a block is looked up', () => {
  const block = first('<p>a</p> <p data-mce-bogus="all">x</p>\uFEFF<hr>', 'p')
  expect(neighbourOf(block, true)?.nodeName).toBe('HR')
  expect(neighbourOf(block, false)).toBe(undefined)
})

test('all objects of a text are found once, in order', () => {
  body.innerHTML = `<p>a</p><hr><ul><li><p>${IMAGE}${IMAGE}</p></li></ul><table><tbody><tr><td><pre>a</pre></td></tr></tbody></table><p>b ${IMAGE}</p>`
  expect(findObjects(body).map(({ nodeName }) => nodeName)).toEqual(['HR', 'P', 'TABLE', 'PRE'])
})
