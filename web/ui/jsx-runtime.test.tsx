import { Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

const name: string = 'Ada'
const isShown: boolean = true

test('a text beside other content has an element of its own', () => {
  const html = renderToStaticMarkup(
    <p>
      by {isShown && <b>{name}</b>}, {3}
    </p>,
  )
  expect(html).toBe('<p><span>by </span><b>Ada</b><span>, </span><span>3</span></p>')
})

test('a text that is an only child, white space, and the text of an option get no element of their own', () => {
  const html = renderToStaticMarkup(
    <select title="x">
      <option>
        {name} {3}
      </option>
    </select>,
  )
  expect(html).toBe('<select title="x"><option>Ada 3</option></select>')
  expect(renderToStaticMarkup(<p>{name}</p>)).toBe('<p>Ada</p>')
  expect(
    renderToStaticMarkup(
      <p>
        <b>a</b> <b>b</b>
      </p>,
    ),
  ).toBe('<p><b>a</b> <b>b</b></p>')
})

test('the text of a fragment, and each text of a list, has an element of its own', () => {
  expect(
    renderToStaticMarkup(
      <p>
        <Fragment key="name">{name}</Fragment>
      </p>,
    ),
  ).toBe('<p><span>Ada</span></p>')
  expect(renderToStaticMarkup(<p>{['a', 'b']}</p>)).toBe('<p><span>a</span><span>b</span></p>')
})
