import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestEditor, type TestEditor } from '#test/support/bare-editor.ts'
import { withWindow } from '#test/support/window.ts'

withWindow()
let writer: TestEditor
let inserter: InstanceType<typeof import('./inserter.ts').Inserter>
let stop: () => void
beforeAll(async () => {
  writer = await openTestEditor()
  const { Inserter } = await import('./inserter.ts')
  inserter = new Inserter(writer.live)
})
afterAll(() => writer.close())
beforeEach(() => {
  stop = inserter.listen()
  writer.setContent('', { inside: 'p' })
})
afterEach(() => {
  inserter.close()
  stop()
})

const offered = () => inserter.shown.get()?.entries.map(({ id }) => id)
const activeEntry = () => {
  const open = inserter.shown.get()
  return open?.entries[open.active]?.id
}

describe('the menu opens', () => {
  test('when "/" is typed in an empty line', () => {
    writer.type('/')
    expect(activeEntry()).toBe('heading')
  })

  test('with the plus of an empty line', () => {
    inserter.open()
    expect(activeEntry()).toBe('heading')
    writer.type('qu')
    expect(offered()).toEqual(['quote'])
  })

  test.each([
    ['behind words', '<p>and</p>', 'p'],
    ['in a list', '<ul><li></li></ul>', 'li'],
    ['in code', '<pre data-mce-typed-code="```"><br></pre>', 'pre'],
  ])('never %s', (_where, html, inside) => {
    writer.setContent(html, { inside, isAtEnd: true })
    writer.type('/')
    expect(offered()).toBeUndefined()
  })

  test('not with the plus of a line with words', () => {
    writer.type('word')
    inserter.open()
    expect(offered()).toBeUndefined()
  })
})

describe('typed letters', () => {
  test('find names that begin with them, then other names', () => {
    writer.type('/t')
    expect(offered()?.[0]).toBe('table')
    expect(offered()).toContain('heading')
  })

  test('find a second word', () => {
    writer.type('/rule')
    expect(offered()).toEqual(['divider'])
  })

  test('do not find contents in a text that has them', () => {
    writer.setContent('<p><br></p><nav class="contents"></nav>', { inside: 'p' })
    writer.type('/conte')
    expect(offered()).toEqual([])
  })

  test('that find nothing leave the menu open for corrections', () => {
    writer.type('/xy')
    expect(offered()).toEqual([])
  })

  test('that are a sentence close it', () => {
    writer.type('/etc is a folder')
    expect(offered()).toBeUndefined()
    expect(writer.html()).toBe('<p>/etc is a folder</p>')
  })
})

describe('keys', () => {
  test('Up, Down, Home and End choose the entry', () => {
    writer.type('/')
    const last = offered()?.at(-1)
    writer.press('ArrowUp')
    expect(activeEntry()).toBe(last)
    writer.press('ArrowDown')
    expect(activeEntry()).toBe('heading')
    writer.press('End')
    expect(activeEntry()).toBe(last)
    writer.press('Home')
    expect(activeEntry()).toBe('heading')
  })

  test('Esc leaves what is typed, and typing goes on without the menu', () => {
    writer.type('/di')
    writer.press('Escape')
    writer.type('v')
    expect(offered()).toBeUndefined()
    expect(writer.html()).toBe('<p>/div</p>')
  })

  test('Backspace closes the menu of the plus, and keeps the line', () => {
    writer.setContent('<p>above</p><p></p>', { inside: 'p + p' })
    inserter.open()
    writer.press('Backspace')
    expect(offered()).toBeUndefined()
    expect(writer.live.getBody().children).toHaveLength(2)
  })

  test('Enter without an entry is a new line', () => {
    writer.type('/xy')
    writer.press('Enter')
    expect(offered()).toBeUndefined()
    expect(writer.html()).toContain('<p>/xy</p>')
  })
})

describe('Enter', () => {
  test.each([
    ['/he', '<h2>word</h2>'],
    ['/qu', '<blockquote><p>word</p></blockquote>'],
    ['/div', '<hr><p>word</p>'],
  ])('after %s inserts in place of it', (typed, html) => {
    writer.type(`${typed}\nword`)
    expect(writer.html()).toBe(html)
  })

  test.each(['/he', '/qu', '/div', '/table', '/foot', '/conte', '/call', '/task'])(
    'after %s is undone by one step',
    (typed) => {
      writer.type(`${typed}\n`)
      writer.undo()
      expect(writer.html()).toBe(`<p>${typed}</p>`)
    },
  )

  test('of a keyboard that reports no keys inserts, too', () => {
    writer.type('/div')
    const enter = { inputType: 'insertParagraph', bubbles: true, cancelable: true }
    writer.live.getBody().dispatchEvent(new InputEvent('beforeinput', enter))
    expect(writer.html()).toBe('<hr>')
  })

  test('within a composed word belongs to the input method', () => {
    writer.type('/div')
    const enter = { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }
    writer.live.getBody().dispatchEvent(new KeyboardEvent('keydown', enter))
    expect(offered()).toEqual(['divider'])
  })
})

describe('a block from a dialog', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    writer.type('/code\n')
    writer.live.dispatch('blur')
    writer.live.dispatch('focus')
    return () => void vi.useRealTimers()
  })

  test('comes in place of the typed words, as one step', async () => {
    const { putCode } = await import('./editor-objects.ts')
    putCode(writer.live, { language: 'javascript', code: 'run()' })
    vi.runAllTimers()
    expect(writer.html()).toBe('<pre class="language-javascript"><code>run()</code></pre>')
    writer.undo()
    expect(writer.html()).toBe('<p>/code</p>')
  })

  test('that is cancelled leaves an empty line, and undo returns the words', () => {
    vi.runAllTimers()
    expect(writer.html()).toBe('')
    writer.undo()
    expect(writer.html()).toBe('<p>/code</p>')
  })
})
